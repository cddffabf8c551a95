package io.anabranch.rules.plan;

import java.nio.charset.StandardCharsets;

/**
 * A row that shares the client's statement with others and is alone in the one of its node, written
 * as a query: VALUES with a single row are an error where several, or a query, are warned of (NULL
 * for NOT NULL without strict mode, and CHECK under IGNORE on MariaDB).
 */
public final class LoneRow {

  private static final byte[] SELECT = ascii(" SELECT ");
  private static final byte[] FROM_DUAL = ascii(" FROM DUAL WHERE TRUE");

  private LoneRow() {}

  /**
   * Appends the query.
   *
   * @param row the values between parentheses, the word {@code ROW} in front of them or not
   */
  public static void append(SqlBuffer out, byte[] row) {
    int open = 0;
    while (row[open] != '(') {
      open++;
    }
    out.append(SELECT);
    out.append(row, open + 1, row.length - 2 - open);
    out.append(FROM_DUAL);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
