package io.anabranch.backend.relay.column;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The column definitions that a server has told last of one of its prepared statements: while they
 * stay the same, it leaves them out of results. On the event loop of the statement's connection.
 *
 * <p>See <a
 * href="https://mariadb.com/kb/en/result-set-packets/#resultset-metadata">MARIADB_CLIENT_CACHE_METADATA</a>.
 */
public final class ToldColumns {

  private final List<byte[]> definitions = new ArrayList<>();

  // the form that was asked for last
  private byte @Nullable [] form;
  private @Nullable NameRewriter rewriter;
  private long client;

  /** Others take the place of those that are known. */
  public void begin() {
    definitions.clear();
    form = null;
  }

  /**
   * @param payload of a definition; its indices are not moved
   */
  public void add(ByteBuf payload) {
    byte[] bytes = new byte[payload.readableBytes()];
    payload.getBytes(payload.readerIndex(), bytes);
    definitions.add(bytes);
  }

  /**
   * Those of a result that comes without.
   *
   * @param count how many it has
   * @throws ProtocolViolationException if the server has never told them
   */
  private void require(int count) {
    if (definitions.size() != count) {
      throw ProtocolViolationException.malformed("a result without column definitions");
    }
  }

  /**
   * What a client gets: packets whose sequence numbers are 0. The same array as long as nothing has
   * changed.
   *
   * @param names null: names stay
   * @param ofClient capabilities between client and proxy
   */
  @SuppressWarnings("ReferenceEquality") // one instance per connection and plan
  byte[] form(int count, @Nullable NameRewriter names, long ofServer, long ofClient) {
    require(count);
    byte[] known = form;
    if (known == null || names != rewriter || ofClient != client) {
      known = packets(new DefinitionCopy(names, ofServer, ofClient));
      form = known;
      rewriter = names;
      client = ofClient;
    }
    return known;
  }

  private byte[] packets(DefinitionCopy copy) {
    ByteBuf out = Unpooled.buffer();
    for (byte[] each : definitions) {
      int start = PacketWriter.begin(out);
      copy.copy(Unpooled.wrappedBuffer(each), out);
      PacketWriter.end(out, start, 0);
    }
    byte[] packets = new byte[out.readableBytes()];
    out.readBytes(packets);
    return packets;
  }

  /**
   * As the plan language knows them.
   *
   * @param names the character set that names are told in
   */
  public List<ResultColumn> columns(int count, long ofServer, Charset names) {
    require(count);
    return definitions.stream()
        .map(each -> ColumnDefinition.decode(Unpooled.wrappedBuffer(each), ofServer, names))
        .map(Columns::read)
        .toList();
  }
}
