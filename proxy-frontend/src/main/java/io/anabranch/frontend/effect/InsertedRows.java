package io.anabranch.frontend.effect;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;

/** How many rows an INSERT has, by the shape of its text. */
final class InsertedRows {

  private InsertedRows() {}

  /** Whether there may be several: a query, or more than one list of values. Errs to yes only. */
  static boolean maySome(Scan scan) {
    return scan.mentionsFrom()
        || scan.hasComments()
        || hasLists(scan)
        || Pins.contains(scan, "table")
        || Pins.contains(scan, "union")
        || Pins.contains(scan, "/*");
  }

  private static boolean hasLists(Scan scan) {
    byte[] sql = scan.sql();
    for (int i = scan.start(); i < scan.end(); i++) {
      if (sql[i] == ')') {
        int comma = skipBlanks(sql, i + 1, scan.end());
        int open =
            comma < scan.end() && sql[comma] == ',' ? skipBlanks(sql, comma + 1, scan.end()) : -1;
        if (open >= 0 && open < scan.end() && "(rR".indexOf(sql[open]) >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether it is an INSERT of one row with ON DUPLICATE KEY UPDATE. Errs to no only.
   *
   * @param tokens of a statement without version comments
   */
  static boolean isOneThatMayUpdate(SqlTokens tokens) {
    int values = rows(tokens);
    if (!tokens.isWord(0, "INSERT") || values < 0) {
      return false;
    }
    if (tokens.isAnyWord(values, "VALUES", "VALUE")) {
      int open = tokens.isWord(values + 1, "ROW") ? values + 2 : values + 1;
      boolean isOne =
          tokens.isPunctuation(open, '(') && !tokens.isPunctuation(tokens.closing(open) + 1, ',');
      if (!isOne) {
        return false;
      }
    } else if (!tokens.isWord(values, "SET")) {
      return false;
    }
    return tokens
        .from(values)
        .has(
            i ->
                tokens.depth(i) == 0
                    && tokens.isWord(i, "ON")
                    && tokens.isWord(i + 1, "DUPLICATE"));
  }

  /** Whether its rows are those of a query. */
  static boolean areOfQuery(SqlTokens tokens) {
    return tokens.isAnyWord(rows(tokens), "SELECT", "TABLE", "WITH");
  }

  /** The word that its rows begin with; -1 if there is none. */
  private static int rows(SqlTokens tokens) {
    return tokens.all().find(i -> tokens.depth(i) == 0 && startsRows(tokens, i));
  }

  private static boolean startsRows(SqlTokens tokens, int token) {
    // a table may be called like a word that starts rows
    boolean isName =
        token < 2
            || tokens.isPunctuation(token - 1, '.')
            || tokens.isAnyWord(
                token - 1, "INTO", "IGNORE", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED");
    return !isName
        && tokens.isAnyWord(token, "VALUES", "VALUE", "SET", "SELECT", "TABLE", "WITH", "ON");
  }

  private static int skipBlanks(byte[] sql, int from, int end) {
    int at = from;
    while (at < end && sql[at] <= ' ' && sql[at] >= 0) {
      at++;
    }
    return at;
  }
}
