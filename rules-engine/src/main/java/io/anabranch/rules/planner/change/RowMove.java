package io.anabranch.rules.planner.change;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.RowCondition;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.placement.StoredExpression;
import io.anabranch.rules.placement.StoredForm;
import io.anabranch.rules.placement.StoredKey;
import io.anabranch.rules.placement.StoredRows;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.planner.query.RowSource;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.ChangeSyntax.Assignment;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans an UPDATE that sets sharding columns: the databases update the rows where they are, then
 * those that are in the wrong place from then on move. They are found by the new values of their
 * sharding columns. Used once.
 */
final class RowMove {

  private static final String CHANGING = "changing a sharding column ";
  private static final String WAY_OUT =
      "change it by a statement with a WHERE alone, or DELETE the row and INSERT it anew";
  private static final int MOST_KEYS = 500;
  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final int[] NOTHING = {};

  private final Analysis analysis;
  private final SqlTokens tokens;
  private final ChangeSyntax syntax;
  private final PlacedTable.Sharded table;
  private final ChangedTable changed;
  private final List<Assignment> moving;

  RowMove(Analysis analysis, ChangeSyntax syntax) {
    this.analysis = analysis;
    this.tokens = analysis.source().tokens();
    this.syntax = syntax;
    boolean alone = analysis.tablesOf(0).size() == 1;
    if (!alone || !(analysis.tablesOf(0).getFirst() instanceof PlacedTable.Sharded sharded)) {
      throw refusal("in an UPDATE of several tables");
    }
    if (syntax.isLimited() || syntax.ignores()) {
      throw refusal("in an UPDATE with LIMIT or IGNORE");
    }
    this.table = sharded;
    this.changed = new ChangedTables(analysis, syntax).list().getFirst();
    Set<String> placing = RowPlacement.columns(table.table());
    this.moving =
        syntax.assignments().stream()
            .filter(each -> placing.contains(each.column().toLowerCase(Locale.ROOT)))
            .toList();
    refuseChains(placing);
    if (!isSame()) {
      refuseOpenRows();
    }
  }

  /** Whether all rows get the same: no column is in what they are set to. */
  private boolean isSame() {
    return moving.stream()
        .noneMatch(
            each ->
                tokens
                    .in(each.value())
                    .hasName(name -> changed.schema().column(tokens.name(name)).isPresent()));
  }

  private static RuntimeException refusal(String where) {
    return refusal(where, WAY_OUT);
  }

  private static RuntimeException refusal(String where, String wayOut) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(CHANGING + where, wayOut);
  }

  /**
   * The query and the UPDATE compute new values each for itself, from old ones: they must be the
   * same, and the only ones.
   */
  private void refuseChains(Set<String> placing) {
    Set<String> before = new HashSet<>();
    for (Assignment assignment : syntax.assignments()) {
      String column = assignment.column().toLowerCase(Locale.ROOT);
      if (before.contains(column)) {
        throw refusal(
            "in an UPDATE that sets '" + assignment.column() + "' twice", "set each column once");
      }
      if (placing.contains(column)) {
        Span value = assignment.value();
        if (tokens.in(value).hasWord("SELECT")) {
          throw refusal("to what a subquery gives", "ask for the value first");
        }
        String open = SessionWords.differentAgain(tokens, value.first(), value.behind(), true);
        if (!open.isEmpty()) {
          throw refusal("to what " + open + " gives at each call", "compute the value first");
        }
        int chained = tokens.in(assignment.value()).find(i -> before.contains(tokens.lowerName(i)));
        if (chained >= 0) {
          throw refusal("to what '" + tokens.text(chained) + "' is set to in the same statement");
        }
      }
      before.add(column);
    }
  }

  /** Both find rows each for itself; how many, is compared, so that stored functions may help. */
  private void refuseOpenRows() {
    String open = SessionWords.differentAgain(tokens, syntax.where(), syntax.limit(), false);
    if (!open.isEmpty()) {
      throw refusal(
          "of the rows that " + open + " finds at each call",
          "find their keys first, and name them in WHERE");
    }
  }

  /**
   * A row moves by DELETE and INSERT: what refers to it would go with the one, and stay gone; and
   * the other would give it what new rows are given.
   */
  private @Nullable Refusal leaving() {
    if (has(SchemaCatalog.FOLLOWED, row -> true)) {
      return staying(
          table.ref().name(), ", to which a foreign key refers with CASCADE or SET NULL,");
    }
    boolean isFilled =
        has(SchemaCatalog.FILLED, row -> changesRow(SqlTokens.of(String.valueOf(row.get(1)))));
    return isFilled
        ? staying(table.ref().name(), ", whose BEFORE INSERT trigger changes rows,")
        : null;
  }

  private static Refusal staying(String table, String why) {
    return new Refusal(CHANGING + "of '" + table + "'" + why, WAY_OUT);
  }

  /** Whether a catalogue's list has the table, beside what holds. */
  private boolean has(String list, Predicate<List<@Nullable String>> also) {
    SchemaCatalog catalog = analysis.task().catalog();
    return changed.nodes().stream()
        .anyMatch(
            node ->
                catalog.definitions(node.dataSource(), list).stream()
                    .anyMatch(
                        row -> node.table().equalsIgnoreCase(row.getFirst()) && also.test(row)));
  }

  /**
   * {@code SET NEW.a = …}, {@code SELECT … INTO NEW.a}, {@code CALL p(NEW.a)}: whatever may be one.
   */
  private static boolean changesRow(SqlTokens body) {
    return body.all()
        .has(
            token ->
                body.isAnyWord(token, "INTO", "CALL")
                    || (isNew(body, token)
                        && body.isPunctuation(token + 1, '.')
                        && (body.isOperator(token + 3, "=") || body.isOperator(token + 3, ":="))));
  }

  /** In whatever quotes: the trigger's own sql_mode says what they mean. */
  private static boolean isNew(SqlTokens body, int token) {
    return body.lowerName(token).equals("new") || body.text(token).equalsIgnoreCase("\"new\"");
  }

  MovePlan plan(KindPlanner statements) {
    var query = new Substatement.Builder(analysis.task(), analysis.source()).text("SELECT ");
    for (Assignment assignment : moving) {
      query.text(assignment.equals(moving.getFirst()) ? "" : ", ");
      Column column = column(assignment.column());
      if (isDefault(assignment)) {
        refuseMoment(column);
        query.text("DEFAULT(" + TableNames.quoted(column.name()) + ")");
      } else {
        StoredExpression.append(
            query, column, assignment.value().first(), assignment.value().behind());
      }
    }
    var keys = new PassedKeys(analysis, syntax, changed, moving);
    keys.select(query);
    query
        .text(" FROM ")
        .tokens(syntax.tables().first(), syntax.tables().behind())
        .text(" ")
        .tokens(syntax.where(), syntax.order());
    keys.order(query);
    query.text(" FOR UPDATE");
    List<String> columns =
        changed.schema().columns().stream()
            .filter(column -> !column.generated())
            .map(Column::name)
            .toList();
    var placement = new RowPlacement(table.table(), table.columns());
    List<String> names = columns.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    RowPlacer placer = values -> placement.node(column -> values.apply(names.indexOf(column)));
    return new MovePlan(
        RowSource.of(query.build(), statements),
        isSame(),
        check(),
        selections(columns),
        deletion(names, placer),
        leaving(),
        insertion(columns, placer),
        keys.passing());
  }

  private boolean isDefault(Assignment assignment) {
    int from = assignment.value().first();
    return assignment.value().behind() == from + 1 && tokens.isWord(from, "DEFAULT");
  }

  /** Servers do not tell a default that is the moment. */
  private static void refuseMoment(Column column) {
    String type = column.type().toLowerCase(Locale.ROOT);
    if (type.startsWith("timestamp") || type.startsWith("datetime")) {
      throw refusal("of the type " + column.type() + " to DEFAULT");
    }
  }

  /** As the table has it. */
  private Column column(String name) {
    return changed
        .schema()
        .column(name)
        .orElseThrow(() -> ErrorCatalogue.UNKNOWN_COLUMN.refuse(name, "SET"));
  }

  /** Looks whether the database stores a new value as it is. */
  private RowPlacer check() {
    List<Column> columns = moving.stream().map(each -> column(each.column())).toList();
    for (Column column : columns) {
      if (!type(column).isSure() && !StoredExpression.canTell(column)) {
        throw refusal("of the type " + column.type());
      }
    }
    boolean strict = isStrict();
    return values -> {
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        SqlValue value = values.apply(i);
        if (value == SqlValue.Null.NULL && strict && !column.nullable()) {
          throw ErrorCatalogue.NOT_NULL.refuse(column.name());
        }
        SqlValue stored = StoredKey.of(column.name(), type(column), value);
        if (!StoredForm.of(column, !strict).holds(stored)) {
          throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
              "the value of sharding column '" + column.name() + "' would be cut",
              "give one that fits");
        }
      }
      return RowPlacer.NOWHERE;
    };
  }

  private KeyType type(Column column) {
    return table.columns().getOrDefault(column.name().toLowerCase(Locale.ROOT), KeyType.OTHER);
  }

  /** Whether the server cuts no value, and takes no NULL for a column that has none. */
  private boolean isStrict() {
    String mode = analysis.task().scope().sqlMode().toUpperCase(Locale.ROOT);
    return mode.isEmpty() || mode.contains("STRICT") || mode.contains("TRADITIONAL");
  }

  /** Rows of each node that have new values. */
  private RowTarget selections(List<String> columns) {
    var list = new StringBuilder();
    for (String column : columns) {
      list.append(list.isEmpty() ? "SELECT " : ", ").append(TableNames.quoted(column));
    }
    var around = new ArrayList<RowTarget.Around>();
    StoredRows rows = storedRows();
    for (DataNode node : changed.nodes()) {
      around.add(around(node, rows.reading(list + " FROM "), " WHERE (", ") FOR UPDATE"));
    }
    int[] positions = new int[moving.size()];
    var pieces = new ArrayList<byte[]>();
    for (int i = 0; i < positions.length; i++) {
      positions[i] = i;
      pieces.add(
          encode((i == 0 ? "(" : " AND ") + TableNames.quoted(moving.get(i).column()) + " = "));
    }
    pieces.add(encode(")"));
    return new RowTarget(
        around, pieces, positions, encode(" OR "), MOST_KEYS, check(), null, positions);
  }

  /** By all sharding columns: rows that agree in them move together. */
  private RowTarget deletion(List<String> names, RowPlacer placer) {
    var around = new ArrayList<RowTarget.Around>();
    for (DataNode node : changed.nodes()) {
      around.add(around(node, "DELETE FROM ", " WHERE (", ")"));
    }
    var condition = new RowCondition("(");
    for (String name : RowPlacement.columns(table.table())) {
      Column column = column(name);
      int position = names.indexOf(name);
      if (type(column).isSure()) {
        condition.equal(name, position);
      } else {
        condition.exact(column, position);
      }
    }
    List<byte[]> pieces = condition.pieces(")", this::encode);
    return new RowTarget(
        around, pieces, condition.positions(), encode(" OR "), MOST_KEYS, placer, null, NOTHING);
  }

  private RowTarget insertion(List<String> columns, RowPlacer placer) {
    var list = new StringBuilder();
    int[] positions = new int[columns.size()];
    var pieces = new ArrayList<byte[]>();
    for (int i = 0; i < positions.length; i++) {
      list.append(i == 0 ? " (" : ", ").append(TableNames.quoted(columns.get(i)));
      positions[i] = i;
      pieces.add(encode(i == 0 ? "(" : ", "));
    }
    pieces.add(encode(")"));
    var around = new ArrayList<RowTarget.Around>();
    StoredRows rows = storedRows();
    for (DataNode node : changed.nodes()) {
      around.add(around(node, rows.writing("INSERT INTO "), list + ") VALUES ", ""));
    }
    return new RowTarget(around, pieces, positions, encode(", "), NO_LIMIT, placer, null, NOTHING);
  }

  private StoredRows storedRows() {
    boolean isMariaDb =
        analysis.task().catalog().isMariaDb(changed.nodes().getFirst().dataSource());
    List<Column> placing = RowPlacement.columns(table.table()).stream().map(this::column).toList();
    return StoredRows.of(changed.schema().columns(), placing, isMariaDb);
  }

  private RowTarget.Around around(DataNode node, String front, String behind, String tail) {
    return new RowTarget.Around(
        node.dataSource(),
        encode(front + TableNames.quotedIfNeeded(node.table()) + behind),
        null,
        encode(tail),
        NOTHING);
  }

  private byte[] encode(String text) {
    return text.chars().allMatch(c -> c < 128)
        ? text.getBytes(StandardCharsets.US_ASCII)
        : analysis.source().encode(text);
  }
}
