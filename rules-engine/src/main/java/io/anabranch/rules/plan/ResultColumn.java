package io.anabranch.rules.plan;

/**
 * A result column as the protocol describes it, without Netty or JDBC types.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_column_definition.html">Column
 * Definition</a>.
 *
 * @param schema logical database, empty for expressions
 * @param table alias or logical table, empty for expressions
 * @param orgTable logical table, empty for expressions
 * @param name as the client sees it
 * @param orgName column of the table, empty for expressions
 * @param collation id of the character set and collation; 63 is binary
 * @param length maximum display length in bytes
 * @param type protocol type code, 0…255
 * @param flags protocol flags
 * @param decimals digits after the point; 31 for floating
 * @param extended MariaDB's <a
 *     href="https://mariadb.com/kb/en/result-set-packets/#column-definition-packet">extended
 *     metadata</a> (JSON, UUID, POINT …) as the server encodes it, a character per byte; empty for
 *     plain types and of servers that tell none
 */
public record ResultColumn(
    String schema,
    String table,
    String orgTable,
    String name,
    String orgName,
    int collation,
    long length,
    int type,
    int flags,
    int decimals,
    String extended) {

  /** Of a plain type. */
  public ResultColumn(
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
    this(schema, table, orgTable, name, orgName, collation, length, type, flags, decimals, "");
  }

  /** The same values under other names. */
  public ResultColumn named(
      String newSchema, String newTable, String newOrgTable, String newName, String newOrgName) {
    return new ResultColumn(
        newSchema,
        newTable,
        newOrgTable,
        newName,
        newOrgName,
        collation,
        length,
        type,
        flags,
        decimals,
        extended);
  }

  /** The same with texts in another character set, or of another collation. */
  public ResultColumn collated(int newCollation) {
    return new ResultColumn(
        schema,
        table,
        orgTable,
        name,
        orgName,
        newCollation,
        length,
        type,
        flags,
        decimals,
        extended);
  }

  /** The column as clients see it: logical names for actual ones. */
  public ResultColumn logical(NameMapping names) {
    return named(
        schema.isEmpty() ? "" : names.schema(),
        names.tables().getOrDefault(table, table),
        names.tables().getOrDefault(orgTable, orgTable),
        name,
        orgName);
  }
}
