package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.rewrite.ExpandedText;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Statements with MySQL's {@code TABLE t}, as a query or a part of one: they are planned with
 * {@code SELECT * FROM t} in its place, which is what a server makes of it; and those with {@code
 * VALUES ROW(…)} where columns are named as the server does. MariaDB knows no such statements and
 * says so.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/9.7/en/table.html">TABLE Statement</a>
 */
record TableQueries(KindPlanner statements) implements KindPlanner {

  private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", "LATERAL");

  /**
   * The planner of a statement, with its tables written out where it has such.
   *
   * @param statements plans what comes out, or what is as it was
   */
  static KindPlanner over(StatementKind kind, KindPlanner statements) {
    return switch (kind) {
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE, DO, SET ->
          new TableQueries(statements);
      default -> statements;
    };
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    var text = new Text(task);
    if (text.hasNoTable()) {
      return new DefaultEndpointPlanner().plan(task);
    }
    return text.isNeeded() && isKnown(task)
        ? text.expanded().plan(statements)
        : statements.plan(task);
  }

  private static boolean isKnown(PlanTask task) {
    return !task.catalog().isMariaDb(task.nearest(task.database().endpoints()));
  }

  /** The statement as it is written out. Used once. */
  private static final class Text {

    private final PlanTask task;
    private final SourceText source;
    private final SqlTokens tokens;

    /** The places of TABLE. */
    private final Set<Integer> tables = new HashSet<>();

    /** What is put in front of tokens. */
    private final Map<Integer, String> columns = new HashMap<>();

    Text(PlanTask task) {
      this.task = task;
      this.source = task.source();
      this.tokens = source.tokens();
      tables.addAll(tokens.all().names(this::isTable));
      for (int token : tokens.all().names(this::isRows)) {
        rows(token);
      }
    }

    /** Rows of constants alone, which any data source answers with. */
    boolean hasNoTable() {
      return isRows(0)
          && tokens
              .from(1)
              .consistsOf(
                  token ->
                      !tokens.isAnyWord(token, "SELECT", "TABLE")
                          && (tokens.isWord(token, "ROW")
                              || !tokens.isName(token)
                              || !tokens.isPunctuation(token + 1, '(')));
    }

    boolean isNeeded() {
      return !tables.isEmpty() || !columns.isEmpty();
    }

    ExpandedText expanded() {
      var expanded = new ExpandedText(task, source);
      tables.forEach(token -> expanded.replace(token, token + 1, "SELECT * FROM"));
      columns.forEach(expanded::insert);
      return expanded;
    }

    private boolean isTable(int token) {
      StatementKind kind = task.scan().kind();
      boolean inserts = kind.inserts();
      return tokens.isWord(token, "TABLE")
          && tokens.isName(token + 1)
          && !tokens.isPunctuation(token - 1, '.')
          && (token == 0
              || inserts
              || tokens.isPunctuation(token - 1, '(')
              || (tokens.isPunctuation(token - 1, ')') && tokens.isWord(0, "WITH"))
              || ClauseEnds.isBehindSetOperator(tokens, token));
    }

    /** {@code VALUES ROW(1, 2), ROW(3, 4)}. */
    private boolean isRows(int token) {
      return tokens.isWord(token, "VALUES")
          && tokens.isWord(token + 1, "ROW")
          && tokens.isPunctuation(token + 2, '(');
    }

    /** The columns of a derived table have names that only the server knows. */
    private void rows(int token) {
      if (token < 2
          || !tokens.isPunctuation(token - 1, '(')
          || !isBehind(token - 1, BEFORE_TABLES)) {
        return;
      }
      int close = tokens.closing(token - 1);
      int alias = tokens.isWord(close + 1, "AS") ? close + 2 : close + 1;
      if (tokens.isName(alias) && !tokens.isPunctuation(alias + 1, '(')) {
        columns.put(alias + 1, " " + columns(token) + " ");
      }
    }

    private boolean isBehind(int token, Set<String> words) {
      return words.contains(tokens.word(token - 1));
    }

    /** {@code (column_0, column_1)}: one for each value of the first row. */
    private String columns(int values) {
      int open = values + 2;
      int last =
          tokens
              .between(open + 1, tokens.closing(open))
              .count(
                  token ->
                      tokens.isPunctuation(token, ',')
                          && tokens.depth(token) == tokens.depth(open) + 1);
      return IntStream.rangeClosed(0, last)
          .mapToObj(column -> "column_" + column)
          .collect(Collectors.joining(", ", "(", ")"));
    }
  }
}
