package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_column_definition.html">ColumnDefinition41</a>,
 * with <a href="https://mariadb.com/kb/en/result-set-packets/#column-definition-packet">MariaDB's
 * extended metadata</a>.
 *
 * @param catalog always {@code def}
 * @param schema database
 * @param table alias, or the table's name
 * @param orgTable the table's name
 * @param name alias, or the column's name
 * @param orgName the column's name
 * @param extended MariaDB's extended type entries, encoded; empty without MARIADB_EXTENDED_METADATA
 * @param collation id; 63 for binary data and numbers
 * @param length longest value in bytes, unsigned 32 bits
 * @param type code of a {@link ColumnType}
 * @param flags {@link ColumnFlag}
 * @param decimals digits after the point; 0x1F for floating ones, 0x27 for strings (MariaDB)
 * @param rest what follows: the default value in an answer to COM_FIELD_LIST, encoded; empty
 *     otherwise
 */
public record ColumnDefinition(
    String catalog,
    String schema,
    String table,
    String orgTable,
    String name,
    String orgName,
    byte[] extended,
    int collation,
    long length,
    int type,
    int flags,
    int decimals,
    byte[] rest) {

  private static final byte[] NOTHING = {};
  private static final int FIXED_LENGTH = 0x0C;

  /** Of catalogue {@code def}, without extended metadata. */
  public ColumnDefinition(
      String schema,
      String table,
      String orgTable,
      String name,
      String orgName,
      int collation,
      long length,
      int type,
      int flags,
      int decimals) {
    this(
        "def", schema, table, orgTable, name, orgName, NOTHING, collation, length, type, flags,
        decimals, NOTHING);
  }

  /**
   * @param charset of names: the connection's {@code character_set_results}
   */
  public static ColumnDefinition decode(ByteBuf payload, long capabilities, Charset charset) {
    String catalog = Fields.readLengthEncoded(payload, charset);
    String schema = Fields.readLengthEncoded(payload, charset);
    String table = Fields.readLengthEncoded(payload, charset);
    String orgTable = Fields.readLengthEncoded(payload, charset);
    String name = Fields.readLengthEncoded(payload, charset);
    String orgName = Fields.readLengthEncoded(payload, charset);
    byte[] extended = NOTHING;
    if (Capability.has(capabilities, Capability.MARIADB_EXTENDED_METADATA)) {
      extended = LengthEncoded.readBytes(payload);
    }
    long fixedLength = LengthEncoded.readLong(payload);
    if (fixedLength != FIXED_LENGTH) {
      throw ProtocolViolationException.malformed("column definition with length " + fixedLength);
    }
    int collation = Fields.readInt2(payload);
    long length = Fields.readInt4(payload);
    int type = Fields.readInt1(payload);
    int flags = Fields.readInt2(payload);
    int decimals = Fields.readInt1(payload);
    Fields.skip(payload, 2);
    byte[] rest = Fields.readRest(payload);
    return new ColumnDefinition(
        catalog, schema, table, orgTable, name, orgName, extended, collation, length, type, flags,
        decimals, rest);
  }

  public void encode(ByteBuf out, long capabilities, Charset charset) {
    LengthEncoded.writeBytes(out, catalog.getBytes(charset));
    LengthEncoded.writeBytes(out, schema.getBytes(charset));
    LengthEncoded.writeBytes(out, table.getBytes(charset));
    LengthEncoded.writeBytes(out, orgTable.getBytes(charset));
    LengthEncoded.writeBytes(out, name.getBytes(charset));
    LengthEncoded.writeBytes(out, orgName.getBytes(charset));
    if (Capability.has(capabilities, Capability.MARIADB_EXTENDED_METADATA)) {
      LengthEncoded.writeBytes(out, extended);
    }
    out.writeByte(FIXED_LENGTH).writeShortLE(collation).writeIntLE((int) length);
    out.writeByte(type).writeShortLE(flags).writeByte(decimals).writeZero(2);
    out.writeBytes(rest);
  }

  public ColumnType columnType() {
    return ColumnType.of(type);
  }

  public boolean isUnsigned() {
    return (flags & ColumnFlag.UNSIGNED) != 0;
  }

  /** With other names, everything else as it is. */
  public ColumnDefinition renamed(String newSchema, String newTable, String newOrgTable) {
    return new ColumnDefinition(
        catalog,
        newSchema,
        newTable,
        newOrgTable,
        name,
        orgName,
        extended,
        collation,
        length,
        type,
        flags,
        decimals,
        rest);
  }
}
