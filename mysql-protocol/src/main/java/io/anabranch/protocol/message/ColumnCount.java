package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;

/**
 * The first packet of a <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset.html">result
 * set</a>.
 *
 * @param count of columns, 1…2^24: servers tell more than 65535 where their statements have them
 * @param definitionsFollow false only with MARIADB_CACHE_METADATA or OPTIONAL_RESULTSET_METADATA
 */
public record ColumnCount(int count, boolean definitionsFollow) {

  private static final int MAX_COLUMNS = 1 << 24;

  public static ColumnCount decode(ByteBuf payload, long capabilities) {
    boolean definitionsFollow = true;
    if (Capability.has(capabilities, Capability.OPTIONAL_RESULTSET_METADATA)) {
      definitionsFollow = Fields.readInt1(payload) != 0;
    }
    long count = LengthEncoded.readLong(payload);
    if (count < 1 || count > MAX_COLUMNS) {
      throw ProtocolViolationException.malformed("result of " + count + " columns");
    }
    if (Capability.has(capabilities, Capability.MARIADB_CACHE_METADATA)) {
      definitionsFollow = Fields.readInt1(payload) != 0;
    }
    return new ColumnCount((int) count, definitionsFollow);
  }

  public void encode(ByteBuf out, long capabilities) {
    int marker = definitionsFollow ? 1 : 0;
    if (Capability.has(capabilities, Capability.OPTIONAL_RESULTSET_METADATA)) {
      out.writeByte(marker);
    }
    LengthEncoded.write(out, count);
    if (Capability.has(capabilities, Capability.MARIADB_CACHE_METADATA)) {
      out.writeByte(marker);
    }
  }
}
