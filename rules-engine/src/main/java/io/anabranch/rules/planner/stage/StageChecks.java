package io.anabranch.rules.planner.stage;

import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.resolve.Relevance;
import io.anabranch.rules.resolve.StandingPaths;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.table.PlacedTable;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What forbids to run a query over copies of its tables. */
final class StageChecks {

  private static final String RESTRICT =
      "restrict it to one shard by conditions on the sharding columns";

  /** Aggregates that give other digits where they are given others. */
  private static final Set<String> ADDING =
      Set.of(
          "AVG",
          "STD",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "SUM",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP");

  /** Each mention of a table has a copy of its own. */
  private static final int MOST_COPIES = 256;

  private StageChecks() {}

  /** Null: nothing does. */
  static @Nullable Refusal check(Analysis analysis, List<SelectSpans> selects) {
    SqlTokens tokens = analysis.source().tokens();
    if (analysis.tables().size() > MOST_COPIES) {
      return new Refusal(
          "a statement with more than " + MOST_COPIES + " tables that no shard has together",
          "divide it");
    }
    String word = SessionWords.tiedToSession(tokens);
    if (!word.isEmpty()) {
      return new Refusal(word, RESTRICT);
    }
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.Catalogue) {
        return new Refusal("a join with a system table", RESTRICT);
      }
      if (table.ref().partitioned()) {
        return new Refusal("PARTITION (…)", "leave it out");
      }
    }
    if (addsQuotientsOfViews(analysis)) {
      return new Refusal(
          "an aggregate of a view's quotient",
          "select it from the view's tables, or round the quotient");
    }
    Refusal paths = new StandingPaths(analysis).ofCopies();
    return paths != null ? paths : tokens.all().search(token -> refusal(tokens, token));
  }

  /** A copy of a view has the digits that MariaDB tells; it computes with more. */
  private static boolean addsQuotientsOfViews(Analysis analysis) {
    if (analysis.sharded().stream().noneMatch(table -> table.view() != null)) {
      return false;
    }
    SqlTokens tokens = analysis.source().tokens();
    var quotients = Quotients.read(analysis);
    return tokens.all().calls().stream()
        .filter(call -> ADDING.contains(tokens.word(call)))
        .anyMatch(call -> quotients.mentionsOne(new Span(call + 2, tokens.closing(call + 1))));
  }

  private static @Nullable Refusal refusal(SqlTokens tokens, int token) {
    if (tokens.kind(token) != TokenKind.WORD || tokens.isPunctuation(token - 1, '.')) {
      return null;
    }
    if (tokens.isWord(token, "SQL_CALC_FOUND_ROWS")) {
      return new Refusal("SQL_CALC_FOUND_ROWS", "ask for COUNT(*) in a statement of its own");
    }
    if (tokens.isWord(token, "INTO")) {
      return new Refusal("SELECT … INTO", RESTRICT);
    }
    if (tokens.isWord(token, "SYSTEM_TIME") && tokens.isWord(token - 1, "FOR")) {
      return new Refusal("FOR SYSTEM_TIME", RESTRICT);
    }
    if (Relevance.isMatch(tokens, token)) {
      return new Refusal("MATCH … AGAINST", RESTRICT);
    }
    if (tokens.isWord(token, "DEFAULT") && tokens.isPunctuation(token + 1, '(')) {
      return new Refusal("DEFAULT(…)", RESTRICT);
    }
    if (tokens.isWord(token, "SKIP") && tokens.isWord(token + 1, "LOCKED")) {
      return new Refusal("SKIP LOCKED", RESTRICT);
    }
    return null;
  }
}
