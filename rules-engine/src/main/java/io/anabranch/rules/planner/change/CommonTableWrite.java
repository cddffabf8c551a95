package io.anabranch.rules.planner.change;

import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.query.AssignedQuery;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.ExpandedPlan;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.TokenFacts;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * MySQL's {@code WITH … UPDATE} and {@code WITH … DELETE}: each subquery that names one of the
 * common tables gets the WITH clause for itself, and a common table among the joined ones becomes a
 * derived table. See <a href="https://dev.mysql.com/doc/refman/8.4/en/with.html">WITH</a>.
 */
final class CommonTableWrite {

  private static final Set<String> IN_FRONT_OF_TABLES =
      Set.of("UPDATE", "LOW_PRIORITY", "IGNORE", "FROM", "USING", "JOIN", "STRAIGHT_JOIN");

  private final SqlTokens tokens;
  private final int change;
  private final Set<String> names;
  private final Substatement.Builder text;
  private int copied;

  /** Bytes of what subqueries have got. */
  private long copies;

  private CommonTableWrite(PlanTask task, SourceText source) {
    this.tokens = source.tokens();
    this.change = change(tokens);
    this.names =
        task.commonTables(tokens).all().stream()
            .filter(table -> table.name() < change)
            .map(table -> tokens.name(table.name()))
            .collect(Collectors.toSet());
    this.text = new Substatement.Builder(task, source);
    this.copied = change;
  }

  static boolean isOne(SqlTokens tokens) {
    return tokens.isWord(0, "WITH");
  }

  /**
   * Servers that know of no such statement say so themselves.
   *
   * @param writes plans what has no WITH in front
   */
  static StatementPlan plan(PlanTask task, SourceText source, KindPlanner writes) {
    StatementReader.requireSyntax(task);
    Substatement statement = new CommonTableWrite(task, source).rewritten();
    return new ExpandedPlan(writes.plan(statement.task()), statement.slots());
  }

  private static int change(SqlTokens tokens) {
    int update = AssignedQuery.clause(tokens, "UPDATE", 0);
    return update >= 0 ? update : AssignedQuery.clause(tokens, "DELETE", 0);
  }

  private Substatement rewritten() {
    String function = SessionWords.differentEverywhere(tokens, 0, change);
    if (!function.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          function + " in WITH of a statement that changes rows", "compute the value first");
    }
    int tables = tokens.from(change).until(0, token -> ClauseEnds.endsTables(tokens, token));
    for (int token : tokens.from(change).outside(open -> isQuery(open + 1))) {
      if (tokens.isPunctuation(token, '(') && isQuery(token + 1)) {
        subquery(token);
      } else if (token < tables && isCommon(token)) {
        joined(token);
      }
    }
    return text.tokens(copied, tokens.size()).build();
  }

  private boolean isWordOf(Set<String> words, int token) {
    return words.contains(tokens.word(token));
  }

  private boolean isQuery(int token) {
    return tokens.isAnyWord(token, "SELECT", "WITH");
  }

  private void subquery(int open) {
    int behind = tokens.closing(open) + 1;
    if (tokens.between(open + 1, behind).has(this::isCommon)) {
      if (tokens.isWord(open + 1, "WITH")) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "WITH in a subquery that reads a table of the WITH around",
            "name all of them in the subquery");
      }
      copyTo(open + 1);
      count();
      text.text(" ").tokens(0, change).text(" ");
    }
  }

  /** A name, in any case, that is no column's, no alias and no qualifier. */
  private boolean isCommon(int token) {
    return tokens.isName(token)
        && !tokens.isPunctuation(token - 1, '.')
        && !tokens.isPunctuation(token + 1, '.')
        && names.stream().anyMatch(tokens.name(token)::equalsIgnoreCase);
  }

  private void joined(int token) {
    boolean table =
        isWordOf(IN_FRONT_OF_TABLES, token - 1)
            || (tokens.depth(token) == 0 && tokens.isPunctuation(token - 1, ','));
    boolean alias = tokens.isWord(token - 1, "AS") || tokens.isName(token - 1);
    if (!table) {
      if (alias) {
        return;
      }
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the name '" + tokens.name(token) + "' of a common table in this place",
          "give the common table a name of its own, and join it without parentheses");
    }
    names.forEach(name -> CommonTables.requireItsCase(tokens.name(token), name));
    copyTo(token);
    count();
    text.text("(").tokens(0, change).text(" SELECT * FROM ").tokens(token, token + 1).text(")");
    if (!TokenFacts.isAlias(tokens, token + 1)) {
      text.text(" AS " + TableNames.quoted(tokens.name(token)));
    }
    copied = token + 1;
  }

  /** The clause is copied once more. */
  private void count() {
    copies += tokens.start(change);
    if (copies > PlanningRoom.LARGE) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a WITH clause of that length whose tables are read so many times in a statement that"
              + " changes rows",
          "read them in one subquery");
    }
  }

  private void copyTo(int behind) {
    text.tokens(copied, behind);
    copied = behind;
  }
}
