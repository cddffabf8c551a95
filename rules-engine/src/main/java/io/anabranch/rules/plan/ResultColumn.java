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
    int decimals) {

  /** The column as clients see it: logical names for actual ones. */
  public ResultColumn logical(NameMapping names) {
    return new ResultColumn(
        schema.isEmpty() ? "" : names.schema(),
        names.tables().getOrDefault(table, table),
        names.tables().getOrDefault(orgTable, orgTable),
        name,
        orgName,
        collation,
        length,
        type,
        flags,
        decimals);
  }
}
