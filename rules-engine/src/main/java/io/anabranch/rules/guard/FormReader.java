package io.anabranch.rules.guard;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.protection.StatementTrait;
import io.anabranch.rules.syntax.query.ClauseEnds;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What rules ask of a statement's form, by its tokens alone, so that it holds for statements that
 * no parser takes.
 */
final class FormReader {

  private static final Map<String, StatementKind> VERBS =
      Map.of(
          "SELECT", StatementKind.SELECT,
          "VALUES", StatementKind.SELECT,
          "TABLE", StatementKind.SELECT,
          "INSERT", StatementKind.INSERT,
          "REPLACE", StatementKind.REPLACE,
          "UPDATE", StatementKind.UPDATE,
          "DELETE", StatementKind.DELETE);

  private final SqlTokens tokens;
  private final StatementKind kind;

  /** Where the verb of the statement stands that does the work. */
  private final int verb;

  FormReader(SqlTokens tokens, StatementKind kind) {
    this.tokens = tokens;
    int from = beginning(kind);
    this.verb = from < 0 ? 0 : verb(from);
    this.kind = from < 0 ? kind : kindAt(verb);
  }

  /**
   * Where the statement begins that is run: behind WITH, and what stands in front of statements
   * that are run all the same.
   *
   * @return -1: the kind says all
   */
  private int beginning(StatementKind of) {
    return switch (of) {
      case SELECT, QUERY_EXPRESSION -> 0;
      // MariaDB's ANALYZE of a statement, MySQL's EXPLAIN ANALYZE: they run it
      case TABLE_MAINTENANCE, DESCRIBE -> {
        boolean analyzes = tokens.isWord(0, "ANALYZE") || tokens.isWord(1, "ANALYZE");
        yield analyzes && verb(1) < tokens.size() && !isOfTables() ? 1 : -1;
      }
      case SET -> tokens.isWord(1, "STATEMENT") && verb(2) < tokens.size() ? 2 : -1;
      default -> -1;
    };
  }

  private boolean isOfTables() {
    return tokens.isWord(1, "TABLE")
        || tokens.isWord(1, "TABLES")
        || tokens.isWord(1, "LOCAL")
        || tokens.isWord(1, "NO_WRITE_TO_BINLOG");
  }

  /** The first verb outside of parentheses; a parenthesis at the beginning is a query's. */
  private int verb(int from) {
    int found =
        tokens
            .from(from)
            .find(token -> tokens.depth(token) == 0 && VERBS.containsKey(tokens.word(token)));
    return found < 0 ? tokens.size() : found;
  }

  private StatementKind kindAt(int token) {
    StatementKind found = VERBS.get(tokens.word(token));
    return found == null ? StatementKind.SELECT : found;
  }

  /** What the statement does; queries of any form are SELECT. */
  StatementKind kind() {
    return kind;
  }

  Set<StatementTrait> traits() {
    var traits = EnumSet.noneOf(StatementTrait.class);
    if (isWithoutWhere()) {
      traits.add(StatementTrait.WITHOUT_WHERE);
    }
    if (new JoinReader(tokens).isWithoutCondition()) {
      traits.add(StatementTrait.JOIN_WITHOUT_CONDITION);
    }
    if (kind == StatementKind.SELECT && sortsAll(verb < tokens.size() ? verb : 0, tokens.size())) {
      traits.add(StatementTrait.ORDER_BY_WITHOUT_LIMIT);
    }
    return traits;
  }

  // ---------------------------------------------------------------- WHERE

  private boolean isWithoutWhere() {
    return switch (kind) {
      case UPDATE, DELETE -> !has("WHERE", verb, tokens.size());
      case SELECT -> hasOpenQuery(0, tokens.size());
      default -> false;
    };
  }

  /** Whether one of the queries that set operators put together reads a table without WHERE. */
  private boolean hasOpenQuery(int from, int behind) {
    return tokens.between(from, behind).parts(this::isSetOperator).stream()
        .map(query -> new Span(tokens.in(query).skipWords("ALL", "DISTINCT"), query.behind()))
        .anyMatch(query -> isOpen(query.first(), query.behind()));
  }

  private boolean isOpen(int first, int behind) {
    if (tokens.isPunctuation(first, '(')) {
      return hasOpenQuery(first + 1, Math.min(tokens.closing(first), behind));
    }
    int from = find("FROM", first, behind);
    boolean reads = tokens.isWord(first, "TABLE") || (from >= 0 && !isDual(from + 1));
    return reads && find("WHERE", first, behind) < 0;
  }

  private boolean isDual(int token) {
    return tokens.isWord(token, "DUAL") && !tokens.isPunctuation(token + 1, '.');
  }

  private boolean isSetOperator(int token) {
    return ClauseEnds.isSetOperator(tokens, token);
  }

  // ---------------------------------------------------------------- ORDER BY

  /** Whether the outermost ORDER BY has no LIMIT. */
  private boolean sortsAll(int from, int behind) {
    boolean isParenthesis = tokens.isPunctuation(from, '(') && tokens.closing(from) == behind - 1;
    if (isParenthesis) {
      return sortsAll(from + 1, behind - 1);
    }
    int order = find("ORDER", from, behind);
    return order >= 0
        && tokens.isWord(order + 1, "BY")
        && find("LIMIT", order, behind) < 0
        && find("FETCH", order, behind) < 0;
  }

  // ---------------------------------------------------------------- words

  private boolean has(String word, int from, int behind) {
    return find(word, from, behind) >= 0;
  }

  /** The word's first place that is in no parentheses opened behind {@code from}; -1: none. */
  private int find(String word, int from, int behind) {
    return tokens.between(from, behind).findClause(word);
  }
}
