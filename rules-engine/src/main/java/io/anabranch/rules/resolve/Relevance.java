package io.anabranch.rules.resolve;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.Conjunction;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code MATCH … AGAINST}: its value is the relevance of a row among all rows of its table, and a
 * part of a table knows only its own. Whether a row is found at all does not depend on the others,
 * save where the text says so (WITH QUERY EXPANSION) or the engine does (all but InnoDB pass over
 * words that most rows have). So over parts of a table it is a condition and nothing else.
 */
public final class Relevance {

  private static final String CONDITION =
      "use it as a condition alone, without its value (WHERE MATCH … AGAINST …)";

  /** In front of a whole condition. */
  private static final Set<String> OPENS = Set.of("WHERE", "ON", "AND", "OR", "XOR", "NOT");

  private static final Set<String> JOINS = Set.of("AND", "OR", "XOR");

  private final PlanTask task;
  private final SqlTokens tokens;
  private final List<PlacedTable> tables;

  private Relevance(PlanTask task, SqlTokens tokens, List<PlacedTable> tables) {
    this.task = task;
    this.tokens = tokens;
    this.tables = tables;
  }

  /**
   * @throws RefusedException where a statement needs more than a part of a table knows
   */
  static void check(PlanTask task, SqlTokens tokens, List<PlacedTable> tables) {
    var relevance = new Relevance(task, tokens, tables);
    tokens.all().where(token -> isMatch(tokens, token)).forEach(relevance::check);
  }

  /** Whether a search in a text begins at a token. */
  public static boolean isMatch(SqlTokens tokens, int token) {
    return tokens.isWord(token, "MATCH")
        && !tokens.isPunctuation(token - 1, '.')
        && tokens.isWord(against(tokens, token), "AGAINST");
  }

  /** {@code MATCH (a, t.b) AGAINST} and, as MySQL takes it too, {@code MATCH a, t.b AGAINST}. */
  private static int against(SqlTokens tokens, int match) {
    if (tokens.isPunctuation(match + 1, '(')) {
      return tokens.closing(match + 1) + 1;
    }
    return tokens
        .from(match + 1)
        .skip(
            at ->
                !tokens.isWord(at, "AGAINST")
                    && (tokens.isName(at)
                        || tokens.isPunctuation(at, ',')
                        || tokens.isPunctuation(at, '.')));
  }

  private void check(int match) {
    int open = against(tokens, match) + 1;
    PlacedTable.Sharded table = table(match + 1);
    if (table == null || !tokens.isPunctuation(open, '(')) {
      return;
    }
    String name = "MATCH … AGAINST of the sharded table '" + table.table().name() + "'";
    int close = tokens.closing(open);
    if (has(open, close, "EXPANSION")) {
      throw refusal(name + " WITH QUERY EXPANSION", "leave WITH QUERY EXPANSION out");
    }
    if (!isCondition(match, close + 1)) {
      throw refusal("the relevance that is the value of " + name, CONDITION);
    }
    if (has(open, close, "BOOLEAN")) {
      return;
    }
    if (limitsByRelevance(match)) {
      throw refusal(
          "LIMIT without ORDER BY, which takes the most relevant rows of " + name,
          "write ORDER BY, or IN BOOLEAN MODE");
    }
    requireInnoDb(table, name);
  }

  /** The table whose columns are searched, or may be, if it has several parts. */
  private PlacedTable.@Nullable Sharded table(int from) {
    int first = tokens.isPunctuation(from, '(') ? from + 1 : from;
    int last = tokens.lastOfName(first);
    PlacedTable.Sharded any = null;
    boolean isElsewhere = false;
    for (PlacedTable table : tables) {
      boolean own =
          last > first
              ? table.ref().alias().equalsIgnoreCase(tokens.name(last - 2))
              : table.columns().containsKey(tokens.name(first).toLowerCase(Locale.ROOT));
      if (table instanceof PlacedTable.Sharded sharded && sharded.table().nodes().size() > 1) {
        if (own) {
          return sharded;
        }
        any = sharded;
      } else {
        isElsewhere |= own;
      }
    }
    return isElsewhere ? null : any;
  }

  private boolean has(int from, int to, String word) {
    return tokens
        .between(from, to)
        .hasName(
            token -> tokens.isWord(token, word) && tokens.depth(token) == tokens.depth(from) + 1);
  }

  /** Whether only the truth of the tokens {@code [match, behind)} counts. */
  private boolean isCondition(int match, int behind) {
    TokenRange whole = tokens.between(match, behind).wrapped();
    int from = whole.first();
    int to = whole.behind();
    boolean joined = isAny(to, JOINS) || tokens.isOperator(to, "&&");
    boolean opened =
        (isAny(from - 1, OPENS) && !Conjunction.isOfBetween(tokens, from - 1))
            || tokens.isOperator(from - 1, "&&")
            || (joined && tokens.isPunctuation(from - 1, '('));
    boolean closed =
        joined
            || ClauseEnds.endsTable(tokens, to)
            || to >= tokens.size()
            || tokens.isPunctuation(to, ')')
            || tokens.isPunctuation(to, ';');
    return opened && closed;
  }

  private boolean isAny(int token, Set<String> words) {
    return words.contains(tokens.word(token));
  }

  /** Servers give the most relevant rows first where a natural search has no other order. */
  private boolean limitsByRelevance(int match) {
    int clause =
        tokens
            .between(0, match)
            .findLast(token -> tokens.isAnyWord(token, "WHERE", "ON") && encloses(token, match));
    int depth = tokens.depth(clause);
    int behind = tokens.from(match).skip(token -> tokens.depth(token) >= depth);
    int word =
        tokens
            .between(match, behind)
            .find(
                token ->
                    tokens.depth(token) == depth
                        && tokens.isAnyWord(token, "ORDER", "LIMIT", "FETCH"));
    return word >= 0 && !tokens.isWord(word, "ORDER");
  }

  private boolean encloses(int clause, int match) {
    return !tokens.between(clause, match).has(token -> tokens.depth(token) < tokens.depth(clause));
  }

  private void requireInnoDb(PlacedTable.Sharded table, String name) {
    boolean passesOver =
        task.definition(table.table().nodes())
            .map(definition -> definition.options().toUpperCase(Locale.ROOT))
            .filter(options -> !options.contains("ENGINE=INNODB"))
            .isPresent();
    if (passesOver) {
      throw refusal(
          name + ", whose engine passes over words that half of all rows have,",
          "write IN BOOLEAN MODE, or make it a table of InnoDB");
    }
  }

  private static RefusedException refusal(String what, String hint) {
    return ErrorCatalogue.NOT_EXACT.refuse(what, hint);
  }
}
