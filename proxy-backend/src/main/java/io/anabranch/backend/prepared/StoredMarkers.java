package io.anabranch.backend.prepared;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Which markers of a text are values of columns and nothing else: those of VALUES, and of
 * assignments.
 */
public final class StoredMarkers {

  private StoredMarkers() {}

  /**
   * @param sql in a character set that has ASCII
   * @param count how many markers the server has found
   * @return by marker; all false where the text cannot be read with certainty
   */
  public static boolean[] of(byte[] sql, int count) {
    var stored = new boolean[count];
    if (count == 0 || hasBackslash(sql)) {
      return stored;
    }
    SqlTokens tokens = SqlTokens.of(new String(sql, StandardCharsets.ISO_8859_1));
    boolean isInsert = tokens.isWord(0, "INSERT") || tokens.isWord(0, "REPLACE");
    if (!isInsert && !tokens.isWord(0, "UPDATE")) {
      return stored;
    }
    List<Integer> markers = tokens.all().where(token -> tokens.kind(token) == TokenKind.MARKER);
    if (markers.size() != count || tokens.all().findClause(0, "SELECT") >= 0) {
      return stored;
    }
    int values = isInsert ? tokens.all().findClause(0, "VALUES", "VALUE") : -1;
    for (int i = 0; i < count; i++) {
      int marker = markers.get(i);
      boolean isBehindValues = values >= 0 && marker > values;
      stored[i] = (isBehindValues && isOfRow(tokens, marker)) || isAssigned(tokens, marker);
    }
    return stored;
  }

  private static boolean hasBackslash(byte[] sql) {
    for (byte each : sql) {
      if (each == '\\') {
        return true;
      }
    }
    return false;
  }

  /** A value of a row on its own. */
  private static boolean isOfRow(SqlTokens tokens, int marker) {
    boolean starts = tokens.isPunctuation(marker - 1, '(') || tokens.isPunctuation(marker - 1, ',');
    boolean ends = tokens.isPunctuation(marker + 1, ')') || tokens.isPunctuation(marker + 1, ',');
    return tokens.depth(marker) == 1 && starts && ends && !isOfFunction(tokens, marker);
  }

  /** Within the parentheses of a name, {@code f(?)}, be it behind ON DUPLICATE KEY UPDATE. */
  private static boolean isOfFunction(SqlTokens tokens, int marker) {
    int open = tokens.between(0, marker).findLast(token -> tokens.depth(token) == 0);
    boolean isRow = tokens.isPunctuation(open - 1, ',') || tokens.isWord(open - 1, "ROW");
    return !isRow && !tokens.isWord(open - 1, "VALUES") && !tokens.isWord(open - 1, "VALUE");
  }

  /** {@code SET column = ?} and the like, on its own. */
  private static boolean isAssigned(SqlTokens tokens, int marker) {
    if (tokens.depth(marker) != 0 || !tokens.isOperator(marker - 1, "=")) {
      return false;
    }
    int name = tokens.firstOfName(marker - 2);
    boolean starts =
        tokens.isName(name)
            && (tokens.isPunctuation(name - 1, ',')
                || tokens.isWord(name - 1, "SET")
                || tokens.isWord(name - 1, "UPDATE"));
    int next = marker + 1;
    boolean ends =
        next == tokens.size()
            || tokens.isPunctuation(next, ',')
            || tokens.isPunctuation(next, ';')
            || tokens.isWord(next, "WHERE")
            || tokens.isWord(next, "ORDER")
            || tokens.isWord(next, "LIMIT")
            || tokens.isWord(next, "ON")
            || tokens.isWord(next, "AS");
    return starts && ends;
  }
}
