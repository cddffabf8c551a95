package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.planner.query.HexadecimalLiterals;
import io.anabranch.rules.planner.query.HomeQuery;
import io.anabranch.rules.planner.query.StoredDigits;
import io.anabranch.rules.planner.stage.GroupColumns;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.resolve.ReadViews;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The query of an INSERT … SELECT whose rows are read before they are written: it asks for all
 * digits of quotients that one server would store. Where a server may have rounded them in between,
 * which depends on how it runs the query, it is refused. Used once.
 */
final class FeedingQuery {

  private static final int DOUBLE = 5;
  private static final int NEW_DECIMAL = 246;

  /** Decimals of a DOUBLE that is told as it is. */
  private static final int ALL_DECIMALS = 31;

  private static final String HINT = "give them digits, as in CAST(… AS DECIMAL(20,9))";

  private final PlanTask task;
  private final SourceText source;
  private final int first;
  private final int behind;
  private final String target;
  private final List<Column> columns;
  private final Substatement plain;
  private final Analysis analysis;
  private final SqlTokens tokens;
  private final ReadViews views;
  private @Nullable List<ResultColumn> described;

  /**
   * @param first token of the query in the statement
   * @param behind likewise
   * @param target the table that is written
   * @param columns that rows have
   */
  FeedingQuery(
      PlanTask task,
      SourceText source,
      int first,
      int behind,
      String target,
      List<Column> columns,
      Substatement plain,
      Analysis analysis) {
    this.task = task;
    this.source = source;
    this.first = first;
    this.behind = behind;
    this.target = target;
    this.columns = columns;
    this.plain = plain;
    this.analysis = analysis;
    this.tokens = analysis.source().tokens();
    this.views = new ReadViews(analysis);
  }

  /** The query as it is to be run. */
  Substatement query() {
    SelectSpans select = SelectSpans.main(tokens);
    if (select == null || select.isCombined(tokens)) {
      // rows of a UNION go through a table, in which they have the digits that are told
      return plain;
    }
    List<Span> items = select.items(tokens);
    Quotients quotients = Quotients.of(tokens, select.body(), false, views.divide(false));
    int[] positions = positions(quotients, items);
    if (positions.length == 0) {
      return plain;
    }
    int end = items.getLast().behind();
    var block = new Block(select, new Span(items.getFirst().first(), end), quotients);
    var query = new Substatement.Builder(task, source);
    int done = 0;
    for (int i = 0; i < items.size(); i++) {
      Span item = items.get(i);
      HexadecimalLiterals.refuse(tokens, item, columns.get(positions[i]));
      boolean more = quotients.mayHaveMore(item) || isClipped(item, positions[i]);
      if (more && isWanted(block, item, positions[i])) {
        Span value = withoutAlias(i, item);
        query.tokens(first + done, first + value.first());
        query.text(" ");
        StoredDigits.of(columns.get(positions[i]))
            .append(
                query, first + value.first(), first + value.behind(), isTold(positions[i], DOUBLE));
        query.text(" ");
        done = value.behind();
      }
    }
    return done == 0 ? plain : query.tokens(first + done, behind).build();
  }

  /** A DOUBLE that is computed of a rounded one is told with the digits of that. */
  private boolean isClipped(Span item, int column) {
    boolean rounds =
        tokens
            .in(item)
            .has(
                token ->
                    tokens.isPunctuation(token + 1, '(')
                        && tokens.isAnyWord(token, "ROUND", "TRUNCATE"));
    return rounds && isTold(column, DOUBLE) && described().get(column).decimals() < ALL_DECIMALS;
  }

  /** The column of each item; empty where the query does not say. */
  private int[] positions(Quotients quotients, List<Span> items) {
    long stars = items.stream().filter(quotients::isStar).count();
    int[] positions = new int[items.size()];
    boolean behindStar = false;
    for (int i = 0; i < positions.length; i++) {
      positions[i] = behindStar ? columns.size() - (positions.length - i) : i;
      behindStar |= quotients.isStar(items.get(i));
    }
    boolean fits =
        stars == 0
            ? items.size() == columns.size()
            : stars == 1 && items.size() <= columns.size() + 1;
    return fits ? positions : new int[0];
  }

  /**
   * A query block.
   *
   * @param items all of them
   */
  private record Block(SelectSpans select, Span items, Quotients quotients) {}

  /** Whether the column is to get all digits, not those that are told. */
  private boolean isWanted(Block block, Span item, int column) {
    Quotients quotients = block.quotients();
    if (quotients.isStar(item)) {
      throw refusal("'*' that gives columns with '/' or AVG in INSERT … SELECT", "name them");
    }
    StoredDigits digits = StoredDigits.of(columns.get(column));
    if (isToldAsStored(digits, column)) {
      return false;
    }
    if (digits.isText()) {
      throw refusal("'/' or AVG for '" + columns.get(column).name() + "', no number,", HINT);
    }
    boolean aggregates = quotients.aggregates(block.items());
    boolean grouped = hasClause(block, "GROUP");
    boolean kept = quotients.mentions(block.items(), "OVER");
    // a server then keeps all rows in a table first
    boolean own = views.read(target);
    var modifiers = new Span(block.select().select(), block.items().first());
    if (quotients.mentions(modifiers, "DISTINCT")
        || quotients.mentions(modifiers, "DISTINCTROW")
        || quotients.mentions(modifiers, "SQL_BUFFER_RESULT")) {
      throw refusal("'/' or AVG in INSERT … SELECT DISTINCT", HINT);
    }
    boolean apart = (grouped || aggregates) && quotients.dividesBesideAggregates(item);
    if (apart || (grouped && (kept || own))) {
      throw refusal("'/' outside of what aggregates give in an INSERT … SELECT", HINT);
    }
    if (quotients.groupsWithin(item) || (grouped && quotients.aggregatesQuotients(item))) {
      throw refusal("an aggregate of '/' or AVG in INSERT … SELECT with GROUP BY", HINT);
    }
    if (kept) {
      return false;
    }
    if (!aggregates && !own && joins(block) && hasClause(block, "ORDER")) {
      throw refusal("'/' or AVG in an INSERT … SELECT of a join with ORDER BY", HINT);
    }
    return aggregates || !own || block.select().from().isEmpty() || !isRounded(quotients, item);
  }

  /** Whether a server that keeps all rows first keeps this value as it would be told. */
  private static boolean isRounded(Quotients quotients, Span item) {
    if (quotients.mentions(item, "SELECT") || !quotients.mentionsNames(item)) {
      throw refusal("'/' or AVG beside no column of the table that is written", HINT);
    }
    return true;
  }

  private static RefusedException refusal(String what, String hint) {
    return ErrorCatalogue.NOT_EXACT.refuse(what, hint);
  }

  private boolean hasClause(Block block, String word) {
    int depth = tokens.depth(block.select().select());
    return tokens
        .from(block.items().behind())
        .hasName(token -> tokens.depth(token) == depth && tokens.isWord(token, word));
  }

  private boolean joins(Block block) {
    return tokens
            .in(block.select().from())
            .has(
                token ->
                    tokens.isPunctuation(token, ',')
                        || tokens.isAnyWord(token, "JOIN", "STRAIGHT_JOIN"))
        || views.arePresent();
  }

  private Span withoutAlias(int number, Span item) {
    SelectFacts select = analysis.facts().select();
    if (select != null && number < select.aliases().size()) {
      return GroupColumns.withoutAlias(tokens, select, number, item);
    }
    int last = item.behind() - 1;
    if (tokens.isWord(last - 1, "AS")) {
      return new Span(item.first(), last - 1);
    }
    boolean alone = item.behind() - item.first() == 1 || tokens.isPunctuation(last - 1, '.');
    boolean named = tokens.kind(last) == TokenKind.STRING || tokens.isName(last);
    if (named && !alone && !follows(last)) {
      throw refusal("'" + tokens.text(last) + "' behind a select item", "write AS in front of it");
    }
    return item;
  }

  /** Whether an operand stands behind an operator. */
  private boolean follows(int token) {
    return tokens.kind(token - 1) == TokenKind.OPERATOR;
  }

  /** Whether the value is stored as it is told; false where only its execution tells. */
  private boolean isToldAsStored(StoredDigits digits, int column) {
    List<ResultColumn> told = described();
    if (told.size() != columns.size()) {
      return !told.isEmpty();
    }
    ResultColumn item = told.get(column);
    return switch (item.type()) {
      case NEW_DECIMAL -> digits.has(item.decimals());
      case DOUBLE -> item.decimals() >= ALL_DECIMALS;
      default -> true;
    };
  }

  /** Whether the value is known to be of that type. */
  private boolean isTold(int column, int type) {
    List<ResultColumn> told = described();
    return told.size() == columns.size() && told.get(column).type() == type;
  }

  /** The columns that a server tells; none where only the execution tells. */
  private List<ResultColumn> described() {
    List<ResultColumn> known = described;
    if (known == null) {
      Optional<String> home = new HomeQuery(analysis).find();
      known =
          home.isEmpty() || task.scan().parameterCount() > 0 ? List.of() : described(home.get());
      described = known;
    }
    return known;
  }

  private List<ResultColumn> described(String home) {
    var sql = new SqlBuffer(256);
    new HomeQuery(analysis).appendTo(sql, home, analysis.source().bytes().length);
    return task.catalog().describe(ShardQuery.text(home, sql.toByteArray()));
  }
}
