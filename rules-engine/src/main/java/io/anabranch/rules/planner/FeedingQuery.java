package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.planner.SchemaCatalog.Column;
import io.anabranch.rules.planner.SchemaCatalog.TableSchema;
import io.anabranch.rules.planner.SelectLayout.Span;
import io.anabranch.rules.sql.SelectFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  }

  /** The query as it is to be run. */
  Substatement query() {
    int select = mainSelect();
    if (select < 0) {
      return plain;
    }
    List<Span> items = Quotients.items(tokens, select);
    int end = items.getLast().behind();
    var body = new ArrayList<Span>();
    body.add(new Span(0, select));
    body.add(from(end));
    Quotients quotients = Quotients.of(tokens, body, viewDivides());
    boolean divides = items.stream().anyMatch(quotients::mayHaveMore);
    int[] positions = positions(quotients, items);
    if (!divides || positions.length == 0 || isSetOperation(select)) {
      return plain;
    }
    var block = new Block(select, new Span(items.getFirst().first(), end), from(end), quotients);
    var query = new Substatement.Builder(task, source);
    int done = 0;
    for (int i = 0; i < items.size(); i++) {
      Span item = items.get(i);
      if (quotients.mayHaveMore(item) && isWanted(block, item, positions[i])) {
        Span value = withoutAlias(i, item);
        query.tokens(first + done, first + value.first());
        query.text(" ");
        StoredDigits.of(columns.get(positions[i]))
            .append(query, first + value.first(), first + value.behind(), isDouble(positions[i]));
        query.text(" ");
        done = value.behind();
      }
    }
    return query.tokens(first + done, behind).build();
  }

  /** The SELECT whose rows are written; -1: none. */
  private int mainSelect() {
    for (int token = 0; token < tokens.size(); token++) {
      boolean word = tokens.kind(token) == TokenKind.WORD && !tokens.isPunctuation(token - 1, '.');
      if (word && tokens.depth(token) == 0 && tokens.isWord(token, "SELECT")) {
        return token;
      }
    }
    int inner = 0;
    while (tokens.isPunctuation(inner, '(') && tokens.closing(inner) == tokens.size() - 1 - inner) {
      inner++;
    }
    return inner > 0 && tokens.isWord(inner, "SELECT") ? inner : -1;
  }

  /** Its rows go through a table, in which they have the digits that are told. */
  private boolean isSetOperation(int select) {
    boolean found = false;
    for (int token = select; token < tokens.size(); token++) {
      found |=
          tokens.depth(token) <= tokens.depth(select) && Quotients.isSetOperator(tokens, token);
    }
    return found;
  }

  private Span from(int end) {
    if (!tokens.isWord(end, "FROM")) {
      return Span.NONE;
    }
    int depth = tokens.depth(end);
    int token = end + 1;
    while (token < tokens.size()
        && tokens.depth(token) >= depth
        && !(tokens.depth(token) == depth && endsFrom(token))) {
      token++;
    }
    return new Span(end + 1, token);
  }

  private boolean endsFrom(int token) {
    return List.of("WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "LOCK").stream()
        .anyMatch(word -> tokens.isWord(token, word));
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
   * @param from its tables; empty without
   */
  private record Block(int select, Span items, Span from, Quotients quotients) {}

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
    boolean own = readsTarget();
    var modifiers = new Span(block.select(), block.items().first());
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
    return aggregates || !own || block.from().isEmpty() || !isRounded(quotients, item);
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
    int depth = tokens.depth(block.select());
    for (int token = block.items().behind(); token < tokens.size(); token++) {
      if (tokens.depth(token) == depth && tokens.isWord(token, word)) {
        return true;
      }
    }
    return false;
  }

  private boolean joins(Block block) {
    Span from = block.from();
    for (int token = from.first(); token < from.behind(); token++) {
      boolean comma = tokens.isPunctuation(token, ',');
      if (tokens.isWord(token, "JOIN") || tokens.isWord(token, "STRAIGHT_JOIN") || comma) {
        return true;
      }
    }
    return analysis.tables().stream().anyMatch(table -> view(table) != null);
  }

  /** A server then keeps all rows in a table first. */
  private boolean readsTarget() {
    for (PlacedTable table : analysis.tables()) {
      String view = view(table);
      boolean within =
          view != null && view.toLowerCase(Locale.ROOT).contains(target.toLowerCase(Locale.ROOT));
      if (within || table.ref().name().equalsIgnoreCase(target)) {
        return true;
      }
    }
    return false;
  }

  private boolean viewDivides() {
    for (PlacedTable table : analysis.tables()) {
      String view = view(table);
      boolean divides = view != null && (view.indexOf('/') >= 0 || view.contains("avg("));
      if (divides || (view != null && view.isEmpty())) {
        return true;
      }
    }
    return false;
  }

  /** The query of a view, empty if it is not shown; null: this is a table. */
  private @Nullable String view(PlacedTable table) {
    return switch (table) {
      case PlacedTable.View view -> view.query().toLowerCase(Locale.ROOT);
      case PlacedTable.Sharded sharded ->
          sharded.view() == null ? null : sharded.view().schema().view();
      case PlacedTable.Single single -> view(single.dataSource(), single.ref().name());
      case PlacedTable.Broadcast broadcast ->
          view(task.database().endpoints().getFirst(), broadcast.ref().name());
      case PlacedTable.Catalogue ignored -> null;
    };
  }

  private @Nullable String view(String endpoint, String name) {
    Optional<TableSchema> schema = task.catalog().table(List.of(new DataNode(endpoint, name)));
    return schema.map(TableSchema::view).orElse(null);
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

  private boolean isDouble(int column) {
    List<ResultColumn> told = described();
    return told.size() == columns.size() && told.get(column).type() == DOUBLE;
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
