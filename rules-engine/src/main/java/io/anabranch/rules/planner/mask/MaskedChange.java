package io.anabranch.rules.planner.mask;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.List;
import java.util.Locale;

/**
 * A statement that names a table with masked columns and is no query: it may write such columns,
 * but neither read nor move nor rename them.
 */
final class MaskedChange {

  private static final List<String> EXPLAINED =
      List.of(
          "SELECT",
          "INSERT",
          "UPDATE",
          "DELETE",
          "REPLACE",
          "FORMAT",
          "ANALYZE",
          "EXTENDED",
          "PARTITIONS",
          "WITH",
          "TABLE",
          "FOR",
          "VALUES");

  private final SqlTokens tokens;
  private final MaskedNames names;
  private final MaskedComparison comparison;
  private final StatementKind kind;

  MaskedChange(
      SqlTokens tokens, MaskedNames names, MaskedComparison comparison, StatementKind kind) {
    this.tokens = tokens;
    this.names = names;
    this.comparison = comparison;
    this.kind = kind;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException if a masked value might be shown, or come to
   *     where it is not masked
   */
  void check() {
    switch (kind) {
      case SELECT, TRUNCATE, LOCK_TABLES, UNLOCK_TABLES, SHOW -> {}
      case INSERT, REPLACE, UPDATE, DELETE -> checkWrite();
      case LOAD_DATA -> refuseNames();
      case DROP -> refuse("SELECT");
      case CREATE -> checkCreate();
      case DESCRIBE -> {
        if (EXPLAINED.stream().anyMatch(word -> tokens.isWord(1, word))
            || tokens.isPunctuation(1, '(')
            || tokens.isWord(0, "ANALYZE")) {
          throw MaskedQuery.refusal("EXPLAIN of a statement");
        }
      }
      default -> throw MaskedQuery.refusal(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
  }

  private void checkCreate() {
    boolean isIndex =
        tokens.isWord(1, "INDEX") || tokens.isWord(1, "UNIQUE") || tokens.isWord(1, "FULLTEXT");
    if (!isIndex && !tokens.isWord(1, "TABLE")) {
      throw MaskedQuery.refusal("CREATE " + tokens.text(1));
    }
    if (isIndex) {
      // errors tell values that are there twice, and rows come in its order
      refuseNames();
    }
    refuseReferences();
    refuse("UNION");
    refuse("SELECT", "WITH", "AS", "VALUES");
  }

  /** ON UPDATE CASCADE copies what others change. */
  private void refuseReferences() {
    boolean isReference = false;
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isWord(token, "REFERENCES")) {
        isReference = true;
      } else if (tokens.isPunctuation(token, ')')) {
        isReference = false;
      } else if (isReference && tokens.isName(token) && names.has(tokens.name(token))) {
        throw MaskedQuery.refusal("a reference to column '" + tokens.name(token) + "'");
      }
    }
  }

  private void checkWrite() {
    refuse("RETURNING", "WITH", "TABLE", "UNION", "INTERSECT", "EXCEPT", "MINUS");
    if (kind.inserts()) {
      refuse("SELECT");
    }
    for (int token = 0; token < tokens.size(); token++) {
      boolean isAll =
          tokens.isOperator(token, "*")
              && !(tokens.isPunctuation(token - 1, '(') && tokens.isWord(token - 2, "COUNT"))
              && (tokens.isWord(token + 1, "FROM")
                  || tokens.isPunctuation(token + 1, ',')
                  || tokens.isPunctuation(token + 1, ')'));
      if (isAll) {
        throw MaskedQuery.refusal("* of a query within an expression");
      }
      if (tokens.isName(token)
          && names.has(tokens.name(token))
          && !isWritten(token)
          && !comparison.isAt(token)) {
        throw MaskedQuery.refusal("column '" + tokens.name(token) + "' in this place");
      }
    }
  }

  /** In the list of columns, left of an assignment, or the value that would have been inserted. */
  private boolean isWritten(int token) {
    int first = tokens.firstOfName(token);
    boolean isAssigned =
        tokens.depth(token) == 0
            && tokens.isOperator(token + 1, "=")
            && (tokens.isWord(first - 1, "SET")
                || tokens.isWord(first - 1, "UPDATE")
                || tokens.isPunctuation(first - 1, ','))
            && !isBehindWhere(token);
    boolean isNew =
        tokens.isPunctuation(first - 1, '(')
            && tokens.isPunctuation(token + 1, ')')
            && (tokens.isWord(first - 2, "VALUES") || tokens.isWord(first - 2, "VALUE"))
            && isBehindDuplicate(token);
    return isAssigned || isNew || isListed(token);
  }

  private boolean isBehindWhere(int token) {
    for (int before = token - 1; before > 0; before--) {
      if (tokens.depth(before) == 0
          && (tokens.isWord(before, "WHERE") || tokens.isWord(before, "ORDER"))) {
        return true;
      }
    }
    return false;
  }

  private boolean isBehindDuplicate(int token) {
    for (int before = token - 1; before > 0; before--) {
      if (tokens.isWord(before, "DUPLICATE")) {
        return true;
      }
    }
    return false;
  }

  /** In the parentheses in front of VALUES. */
  private boolean isListed(int token) {
    if ((kind != StatementKind.INSERT && kind != StatementKind.REPLACE)
        || tokens.depth(token) != 1) {
      return false;
    }
    for (int before = token - 1; before > 0; before--) {
      if (tokens.isWord(before, "VALUES")
          || tokens.isWord(before, "VALUE")
          || tokens.isWord(before, "SET")) {
        return false;
      }
    }
    return tokens.isPunctuation(token + 1, ',') || tokens.isPunctuation(token + 1, ')');
  }

  private void refuseNames() {
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token) && names.has(tokens.name(token))) {
        throw MaskedQuery.refusal("column '" + tokens.name(token) + "' in this place");
      }
    }
  }

  private void refuse(String... words) {
    for (int token = 0; token < tokens.size(); token++) {
      for (String word : words) {
        if (tokens.isWord(token, word) && !tokens.isPunctuation(token - 1, '.')) {
          throw MaskedQuery.refusal(word);
        }
      }
    }
  }
}
