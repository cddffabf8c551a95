package io.anabranch.backend.lease;

import io.anabranch.backend.breaker.AnswerListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * A pooled connection's channel while it is leased to the relay lane. HikariCP and the JDBC driver
 * opened it and own it; between leases the driver reads and writes it, during a lease we do.
 *
 * <p>The channel never reads by itself: who takes the bytes calls {@link Channel#read()}.
 */
public interface BackendConnection {

  Channel channel();

  /**
   * Capability bits in force: what the driver asked for and the server has; MariaDB's extended
   * capabilities are bits 32 and up.
   */
  long capabilities();

  /** The server's thread id. */
  long threadId();

  String serverVersion();

  /** The settings that the connection has: {@link Lease#applied()}. */
  SessionSettings applied();

  /** {@link Lease#start}. */
  default StartValues start() {
    return StartValues.UNKNOWN;
  }

  /**
   * The server's {@code max_allowed_packet}: a command of so many bytes, or more, makes it close
   * the connection.
   */
  default long longestPacket() {
    return Long.MAX_VALUE;
  }

  /** The schema that the connection was opened with, or is in since; empty for none. */
  String database();

  /** The session that holds it has said USE: it does not go back to its pool. On the event loop. */
  void inSchema(String schema);

  /**
   * The server told the GTID of something that was committed: goes to whoever leased the connection
   * ({@link LeaseDesk.Commits}). On the event loop, before the client gets the answer.
   */
  void committed(String gtid);

  /**
   * The server told that a statement has changed the session's state: variables, temporary tables,
   * prepared statements, be it in a function or a trigger. On the event loop.
   */
  void stateChanged();

  /** Whether that was told since the last question, or since the lease began. */
  boolean takeStateChange();

  /**
   * The server told that a statement has made another schema the current one, or the same once
   * more. On the event loop.
   */
  void schemaChanged(String schema);

  /** What was told last since the last question, or since the lease began; null: nothing. */
  @Nullable String takeSchema();

  /** LAST_INSERT_ID() of the connection. */
  KnownInsertId insertId();

  /**
   * Says who takes the server's bytes; called on the channel's event loop, during a lease only.
   * Bytes that arrive while nobody takes them break the connection.
   */
  void receiver(Receiver receiver);

  /** Takes no more bytes; the response is complete. On the event loop. */
  void noReceiver();

  /**
   * Who is to be told of answers, on the event loop during a lease; null: nobody. Not told of what
   * ends because this side has closed the connection.
   */
  default @Nullable AnswerListener answers() {
    return null;
  }

  /** {@link Lessee#origin} of who has it. On the event loop, during a lease. */
  default byte @Nullable [] origin() {
    return null;
  }

  /**
   * Whether what runs may answer with whatever error its client likes: that tells nobody anything.
   */
  default boolean raisesErrors() {
    return false;
  }

  /** Whether this side has closed the connection, or is about to. */
  default boolean isAborted() {
    return false;
  }

  /** Another number with each command that begins or ends here; on the event loop. */
  int exchange();

  /** Takes the server's bytes on the channel's event loop. */
  interface Receiver {

    /** Takes over {@code bytes}: any part of the stream. */
    void received(ByteBuf bytes);

    /** All bytes of one read have been given; the receiver asks for the next {@code read}. */
    void readComplete();

    /** The connection is gone; nothing is called afterwards. */
    void closed(String reason);
  }
}
