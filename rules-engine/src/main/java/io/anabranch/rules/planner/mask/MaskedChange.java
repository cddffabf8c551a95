package io.anabranch.rules.planner.mask;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

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
          "INTO",
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
      case SELECT, QUERY_EXPRESSION, TRUNCATE, LOCK_TABLES, UNLOCK_TABLES, SHOW -> {}
      case INSERT, REPLACE, UPDATE, DELETE -> checkWrite();
      case LOAD_DATA -> refuseNames(_ -> false);
      case DROP -> refuse("SELECT");
      case CREATE -> checkCreate();
      case DESCRIBE -> {
        if (!isDescription()) {
          throw MaskedQuery.refusal("EXPLAIN of a statement");
        }
      }
      default -> throw MaskedQuery.refusal(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
  }

  /** {@code DESC table [column]}, and nothing else. */
  private boolean isDescription() {
    int size = tokens.size() - (tokens.isPunctuation(tokens.size() - 1, ';') ? 1 : 0);
    int end = tokens.lastOfName(1) + 1;
    boolean isColumn =
        end + 1 == size && (tokens.isName(end) || tokens.kind(end) == TokenKind.STRING);
    return tokens.isAnyWord(0, "DESC", "DESCRIBE", "EXPLAIN")
        && tokens.isName(1)
        && EXPLAINED.stream().noneMatch(word -> tokens.isWord(1, word))
        && (end == size || isColumn);
  }

  private void checkCreate() {
    boolean isIndex =
        tokens.isWord(1, "INDEX") || tokens.isWord(1, "UNIQUE") || tokens.isWord(1, "FULLTEXT");
    if (!isIndex && !tokens.isWord(1, "TABLE")) {
      throw MaskedQuery.refusal("CREATE " + tokens.text(1));
    }
    if (isIndex) {
      // errors tell values that are there twice, and rows come in its order
      refuseNames(_ -> false);
    }
    refuseReferences();
    refuse("UNION");
    refuse("SELECT", "WITH", "AS", "VALUES");
    if (tokens.from(2).hasWord("TABLE")) {
      throw MaskedQuery.refusal("CREATE TABLE … TABLE");
    }
  }

  /** ON UPDATE CASCADE copies what others change. */
  private void refuseReferences() {
    for (int word : tokens.all().words("REFERENCES")) {
      int behind =
          tokens
              .from(word + 1)
              .skip(
                  token ->
                      !tokens.isPunctuation(token, ')') && !tokens.isWord(token, "REFERENCES"));
      int named = tokens.between(word + 1, behind).findName(token -> names.has(tokens.name(token)));
      if (named >= 0) {
        throw MaskedQuery.refusal("a reference to column '" + tokens.name(named) + "'");
      }
    }
  }

  private void checkWrite() {
    // NATURAL compares columns that nobody names
    refuse("RETURNING", "WITH", "TABLE", "UNION", "INTERSECT", "EXCEPT", "MINUS", "NATURAL");
    if (kind.inserts()) {
      refuse("SELECT");
    } else {
      MaskedText.refusePartitions(tokens);
    }
    if (tokens.all().has(this::isAll)) {
      throw MaskedQuery.refusal("* of a query within an expression");
    }
    refuseNames(token -> isWritten(token) || comparison.isAt(token));
  }

  private boolean isAll(int token) {
    return tokens.isOperator(token, "*")
        && !(tokens.isPunctuation(token - 1, '(') && tokens.isWord(token - 2, "COUNT"))
        && (tokens.isWord(token + 1, "FROM")
            || tokens.isPunctuation(token + 1, ',')
            || tokens.isPunctuation(token + 1, ')'));
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
    return tokens
            .between(1, token)
            .findLast(
                before -> tokens.depth(before) == 0 && tokens.isAnyWord(before, "WHERE", "ORDER"))
        >= 0;
  }

  private boolean isBehindDuplicate(int token) {
    return tokens.between(1, token).findLast(before -> tokens.isWord(before, "DUPLICATE")) >= 0;
  }

  /** In the parentheses in front of VALUES. */
  private boolean isListed(int token) {
    return (kind == StatementKind.INSERT || kind == StatementKind.REPLACE)
        && tokens.depth(token) == 1
        && tokens
                .between(1, token)
                .findLast(before -> tokens.isAnyWord(before, "VALUES", "VALUE", "SET"))
            < 0
        && (tokens.isPunctuation(token + 1, ',') || tokens.isPunctuation(token + 1, ')'));
  }

  private void refuseNames(IntPredicate isAllowed) {
    int named =
        tokens
            .all()
            .find(
                token ->
                    tokens.isName(token)
                        && names.has(tokens.name(token))
                        && !isAllowed.test(token));
    if (named >= 0) {
      throw MaskedQuery.refusal("column '" + tokens.name(named) + "' in this place");
    }
  }

  private void refuse(String... words) {
    int found =
        tokens
            .all()
            .findName(
                token -> tokens.isAnyWord(token, words) && !tokens.isPunctuation(token - 1, '.'));
    if (found >= 0) {
      throw MaskedQuery.refusal(tokens.word(found));
    }
  }
}
