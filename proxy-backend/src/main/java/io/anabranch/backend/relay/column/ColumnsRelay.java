package io.anabranch.backend.relay.column;

import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Column definitions between a server that leaves out those it has told before and a client that
 * wants, or wants not, the same: what each of them knows of one prepared statement is not the same,
 * because connections go from session to session.
 */
public final class ColumnsRelay {

  private final @Nullable NameRewriter rewriter;
  private final long backend;
  private final long client;
  private final @Nullable ClientColumns known;
  private @Nullable ToldColumns told;
  private int count;

  /**
   * @param rewriter null: names stay
   * @param backend capabilities between proxy and database
   * @param client capabilities between client and proxy
   * @param known to the client; null: it is told in any case
   */
  public ColumnsRelay(
      @Nullable NameRewriter rewriter, long backend, long client, @Nullable ClientColumns known) {
    this.rewriter = rewriter;
    this.backend = backend;
    this.client = client;
    this.known = Capability.has(client, Capability.MARIADB_CACHE_METADATA) ? known : null;
  }

  /**
   * A prepared statement is executed.
   *
   * @return whether its results may come without definitions
   */
  public boolean executes(ToldColumns columns) {
    boolean mayLeaveOut = Capability.has(backend, Capability.MARIADB_CACHE_METADATA);
    if (mayLeaveOut) {
      told = columns;
    }
    return mayLeaveOut;
  }

  /** Definitions follow. */
  public void follow(int columns) {
    count = columns;
    if (told != null) {
      told.begin();
    }
  }

  /**
   * One of them.
   *
   * @param payload its indices are not moved
   */
  public void add(ByteBuf payload) {
    if (told != null) {
      told.add(payload);
    }
  }

  /** All of them have been passed on. */
  public void passed() {
    if (told != null && known != null) {
      known.tell(form(told));
    }
  }

  /**
   * The server has left them out.
   *
   * @return packets to tell the client, their numbers 0; null: it knows them
   */
  public byte @Nullable [] leftOut(int columns) {
    count = columns;
    byte[] packets = form(told == null ? new ToldColumns() : told);
    if (known == null) {
      return packets;
    }
    boolean isKnown = known.include(packets);
    known.tell(packets);
    return isKnown ? null : packets;
  }

  private byte[] form(ToldColumns of) {
    return of.form(count, rewriter, backend, client);
  }
}
