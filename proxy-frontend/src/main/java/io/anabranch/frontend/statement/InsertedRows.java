package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.Scan;

/** How many rows an INSERT has, by the shape of its text. */
public final class InsertedRows {

  private InsertedRows() {}

  /** Whether there may be several: a query, or more than one list of values. Errs to yes only. */
  public static boolean maySome(Scan scan) {
    if (scan.mentionsFrom()) {
      return true;
    }
    byte[] sql = scan.sql();
    for (int i = scan.start(); i < scan.end(); i++) {
      if (sql[i] == ')') {
        int comma = skipBlanks(sql, i + 1, scan.end());
        int open =
            comma < scan.end() && sql[comma] == ',' ? skipBlanks(sql, comma + 1, scan.end()) : -1;
        if (open >= 0 && open < scan.end() && "(/rR".indexOf(sql[open]) >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static int skipBlanks(byte[] sql, int from, int end) {
    int at = from;
    while (at < end && sql[at] <= ' ' && sql[at] >= 0) {
      at++;
    }
    return at;
  }
}
