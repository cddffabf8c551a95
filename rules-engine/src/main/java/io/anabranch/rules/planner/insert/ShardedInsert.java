package io.anabranch.rules.planner.insert;

import static java.util.Objects.requireNonNull;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.CheckedKeys;
import io.anabranch.rules.placement.ColumnList;
import io.anabranch.rules.placement.KeyColumn;
import io.anabranch.rules.placement.KnownRows;
import io.anabranch.rules.placement.NumberedColumn;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.placement.RowValue;
import io.anabranch.rules.placement.StoredForm;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.AimedRows;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.InsertSyntax.Row;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.ReturningClause;
import io.anabranch.rules.task.StatementHints;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans one INSERT or REPLACE of rows into a sharded table. Used once. */
final class ShardedInsert {

  private static final int NO_SUCH_TABLE = 1146;

  /** More rows are not also kept as a whole text, which there is one of for each node. */
  private static final int MOST_WHOLE = 100;

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final InsertSyntax syntax;
  private final ShardedTable table;
  private final List<String> columns;
  private final Map<String, Integer> positions;
  private final List<String> unlisted;
  private final Map<String, KeyType> types = new HashMap<>();
  private final Map<String, StoredForm> forms = new HashMap<>();
  private final Set<String> placing;
  private final Set<String> notNull = new HashSet<>();
  private final Set<String> required = new LinkedHashSet<>();
  private final Map<String, String> names = new HashMap<>();
  private final BitSet parameters = new BitSet();
  private final @Nullable CheckedKeys checked;
  private final DuplicateUpdates updates;
  private @Nullable String autoIncrement;

  ShardedInsert(PlanTask task, SourceText source, InsertSyntax syntax, ShardedTable table) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.table = table;
    this.placing = RowPlacement.columns(table);
    for (int marker : tokens.all().where(i -> tokens.kind(i) == TokenKind.MARKER)) {
      parameters.set(tokens.slot(marker));
    }
    TableSchema schema = schema();
    for (Column column : schema.columns()) {
      String name = column.name().toLowerCase(Locale.ROOT);
      types.put(name, KeyType.of(column.type(), column.collation()));
      forms.put(name, StoredForm.of(column, !refusesAbsence()));
      if (column.autoIncrement()) {
        autoIncrement = name;
      }
      if (!column.nullable() && refusesAbsence()) {
        notNull.add(name);
      }
      names.put(name, column.name());
      if (column.required() && refusesAbsence()) {
        required.add(name);
      }
    }
    this.checked = CheckedKeys.of(task, table, schema, !refusesAbsence());
    this.unlisted = ColumnList.unlisted(schema.columns());
    boolean named = syntax.columnsEnd() >= 0 || syntax.form() == InsertSyntax.Form.SET;
    this.columns =
        (named ? syntax.columns() : unlisted)
            .stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    this.positions = ColumnList.positions(columns);
    this.updates = new DuplicateUpdates(tokens, syntax, table, positions);
  }

  /** Whether the server takes no NULL, and nothing, for what has to have a value. */
  private boolean refusesAbsence() {
    return task.scope().isStrict() && !syntax.ignores();
  }

  private TableSchema schema() {
    return task.catalog()
        .table(table.nodes())
        .orElseThrow(
            () ->
                ErrorCatalogue.NO_SUCH_TABLE.refuse(task.database().name(), syntax.table().name()));
  }

  /**
   * @throws SchemaCatalog.DescribeException with the database's error, where it does not take the
   *     statement either
   */
  StatementPlan plan() {
    try {
      return planned();
    } catch (RefusedException refusal) {
      DataNode node = table.nodes().getFirst();
      SqlTemplate whole = rewriting().template();
      try {
        task.catalog()
            .describe(
                whole.aimedAt(node.dataSource(), List.of(node.table())).render(task.written()));
      } catch (SchemaCatalog.DescribeException failed) {
        if (failed.errno() == NO_SUCH_TABLE && subquery() >= 0) {
          // the tables of the subquery are elsewhere, or not called so
          throw refusal;
        }
        throw failed;
      }
      throw refusal;
    }
  }

  private StatementPlan planned() {
    refuseSubqueries();
    refuseKeyUpdates();
    if (checked != null) {
      checked.refuseUpdates(syntax.updates());
    }
    KeyColumn key = keyColumn();
    var rows = new KnownRows(known(key));
    for (int row = 0; row < syntax.rows().size(); row++) {
      rows.add(row(row, rows.columns(), key));
    }
    var hints = StatementHints.of(task.scan(), task.scope().charset());
    var placement = new RowPlacement(table, types, forms, hints.forTable(table));
    TableRewriting rewriting = rewriting();
    List<ShardedInsertPlan.Text> filled = null;
    var keys = new KeyText(tokens, syntax, columns, task.scan().slotCount(), parameters::get);
    if (key != null) {
      keys.write(key, rows, rewriting, false);
      if (givesParameter(key)) {
        TableRewriting replacing = rewriting();
        keys.write(key, rows, replacing, true);
        filled = texts(replacing);
      }
    }
    return new ShardedInsertPlan(
        task.scan().kind(),
        names(),
        placement,
        table.nodes(),
        notNull,
        rows,
        key,
        key == null ? List.of() : least(key),
        guardedAutoIncrement(key),
        syntax.returns() ? returning() : null,
        guardedAutoIncrement(key) == null && autoIncrement != null && !isOf(key),
        syntax.ignores(),
        texts(rewriting),
        filled,
        queried(),
        checked,
        tokens.isWord(0, "REPLACE"),
        !syntax.updates().isEmpty(),
        updates.together(),
        isOf(key));
  }

  private List<byte[]> least(KeyColumn key) {
    Charset charset = task.scope().charset();
    return table.nodes().stream().map(node -> KeyText.least(node, key.column(), charset)).toList();
  }

  private boolean isOf(@Nullable KeyColumn key) {
    return key != null && key.column().equals(autoIncrement);
  }

  private ReturningClause returning() {
    DataNode node = task.nearestNode(table.nodes());
    return ReturningClause.describe(
        task,
        syntax.returning(),
        rewriting()
            .template()
            .aimedAt(node.dataSource(), List.of(node.table()))
            .render(task.written()),
        names());
  }

  private TableRewriting rewriting() {
    var rewriting = new TableRewriting(source, task.database().name(), List.of(syntax.table()));
    ColumnList.write(source, syntax, unlisted, rewriting);
    return rewriting;
  }

  private NameMapping names() {
    return Analysis.written(task.database(), List.of(table));
  }

  /** The column whose values must not be left to the databases: they would repeat. */
  private @Nullable AutoIncrement guardedAutoIncrement(@Nullable KeyColumn key) {
    String column = autoIncrement;
    return column == null || isOf(key) || table.nodes().size() == 1
        ? null
        : new AutoIncrement(
            column, NumberedColumn.of(forms.get(column), task.scope().zeroGenerates()));
  }

  private void refuseSubqueries() {
    int subquery = subquery();
    if (subquery >= 0) {
      String place = subquery < syntax.tail() ? "in the VALUES" : "behind the rows";
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a subquery " + place + " of an INSERT into a sharded table",
          "write INSERT … SELECT, or read the value first");
    }
  }

  /** The first token of one that begins behind the columns; -1: there is none. */
  private int subquery() {
    return tokens.from(syntax.body()).findWord("SELECT");
  }

  private void refuseKeyUpdates() {
    if (SessionWords.useSequences(tokens, syntax.tail(), tokens.size())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a sequence behind the rows of an INSERT into a sharded table",
          "draw the value first: SELECT NEXTVAL(…)");
    }
    updates.refuseMoves(checked != null);
  }

  static RefusedException leftOut(ShardedTable table, String column) {
    return ErrorCatalogue.UNROUTABLE_WRITE.refuse(
        "INSERT into '" + table.name() + "' leaves sharding column '" + column + "' out",
        "give it a value or configure a keyGenerateStrategy for it");
  }

  private @Nullable KeyColumn keyColumn() {
    KeyColumn key = KeyColumn.of(table, forms, autoIncrement, task.scope().zeroGenerates());
    if (key == null) {
      return null;
    }
    int position = position(key.column());
    for (Row row : syntax.rows()) {
      RowValue value = value(row, position);
      if (value == null || !value.isExpression()) {
        return key;
      }
    }
    return null;
  }

  /** Whether a row gives the key as a parameter, which may be NULL. */
  private boolean givesParameter(KeyColumn key) {
    int position = position(key.column());
    for (Row row : syntax.rows()) {
      if (value(row, position) instanceof RowValue.Slot slot && parameters.get(slot.slot())) {
        return true;
      }
    }
    return false;
  }

  /** Where the rows have the column; -1: they do not have it. */
  private int position(String column) {
    return positions.getOrDefault(column, -1);
  }

  private @Nullable RowValue value(Row row, int position) {
    return position < 0 || position >= row.values().size()
        ? null
        : RowValue.of(tokens, row.values().get(position));
  }

  /**
   * Whether a value that has to be known is an expression that only a database can compute, or one
   * is drawn from a sequence, which is not where the rows are.
   */
  boolean needsComputing() {
    if (SessionWords.useSequences(tokens, syntax.body(), syntax.tail())) {
      return true;
    }
    Set<String> looked = looked();
    for (Row row : syntax.rows()) {
      Wish.requireWanted();
      if (row.values().size() == columns.size()
          && looked.stream().anyMatch(c -> isOpaque(row, c))) {
        return true;
      }
    }
    return false;
  }

  private boolean isOpaque(Row row, String column) {
    return value(row, position(column)) == RowValue.Opaque.OPAQUE;
  }

  /** Columns whose values have to be known: those that place a row, number it, or are its keys. */
  private Set<String> looked() {
    var all = new HashSet<>(placing);
    if (checked != null) {
      all.addAll(checked.columns());
    }
    if (autoIncrement != null && table.nodes().size() > 1) {
      all.add(autoIncrement);
    }
    ShardedTable.KeyGeneration generation = table.keyGeneration();
    if (generation != null) {
      all.add(generation.column().toLowerCase(Locale.ROOT));
    }
    return all;
  }

  /** Columns whose values are looked at, and that the rows may give. */
  private List<String> known(@Nullable KeyColumn key) {
    return columns.stream()
        .filter(
            column ->
                placing.contains(column)
                    || (checked != null && checked.columns().contains(column))
                    || column.equals(autoIncrement)
                    || (key != null && column.equals(key.column())))
        .toList();
  }

  private @Nullable RowValue[] row(int number, List<String> known, @Nullable KeyColumn key) {
    Wish.requireWanted();
    Row row = syntax.rows().get(number);
    boolean isEmpty = row.values().isEmpty() && syntax.columnsEnd() < 0;
    if (row.values().size() != columns.size() && !isEmpty) {
      throw ErrorCatalogue.COLUMN_COUNT.refuse(number + 1);
    }
    var values = new @Nullable RowValue[known.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(row, position(known.get(i)));
    }
    for (String column : placing) {
      boolean generated = key != null && key.column().equals(column);
      int position = known.indexOf(column);
      RowValue given = position < 0 ? null : values[position];
      RowValue value = given == null ? RowValue.Default.DEFAULT : given;
      if (!generated && value == RowValue.Default.DEFAULT && required.contains(column)) {
        throw ErrorCatalogue.NO_DEFAULT.refuse(firstMissing(row, key));
      }
      if (!generated && given == null) {
        throw leftOut(table, column);
      }
    }
    return values;
  }

  /** Servers name the first column of the table that has to have a value and gets none. */
  private String firstMissing(Row row, @Nullable KeyColumn key) {
    for (String column : required) {
      RowValue value = value(row, position(column));
      boolean generated = key != null && key.column().equals(column);
      if (!generated && (value == null || value == RowValue.Default.DEFAULT)) {
        return names.getOrDefault(column, column);
      }
    }
    throw new IllegalStateException("no column is missing in " + source.text());
  }

  private List<ShardedInsertPlan.Text> texts(TableRewriting rewriting) {
    Row first = syntax.rows().getFirst();
    SqlTemplate whole = syntax.rows().size() > MOST_WHOLE ? null : rewriting.template();
    SqlTemplate head = rewriting.template(0, start(first));
    SqlTemplate tail = rewriting.template(syntax.tail(), tokens.size());
    boolean lone =
        syntax.rows().size() > 1 && !refusesAbsence() && !tokens.isWord(syntax.tail(), "AS");
    SqlTemplate query = lone ? rewriting.template(0, start(first) - 1) : null;
    AimedRows alike = aimed(rewriting, table.nodes().getFirst(), false);
    var texts = new ArrayList<ShardedInsertPlan.Text>();
    for (DataNode node : table.nodes()) {
      String source = node.dataSource();
      List<String> names = List.of(node.table());
      texts.add(
          new ShardedInsertPlan.Text(
              whole == null ? null : whole.aimedAt(source, names),
              head.aimedAt(source, names),
              query == null ? null : query.aimedAt(source, names),
              alike == null ? requireNonNull(aimed(rewriting, node, true)) : alike,
              tail.aimedAt(source, names)));
    }
    return texts;
  }

  /**
   * Rows that mean the same as a query: no column is named in them, no default, nothing that only a
   * query may have.
   */
  private BitSet queried() {
    var queried = new BitSet();
    for (int number = 0; number < syntax.rows().size(); number++) {
      Row row = syntax.rows().get(number);
      TokenRange values = tokens.between(row.open() + 1, row.close());
      boolean differs =
          row.values().isEmpty()
              || values.hasName(this::namesColumn)
              || values.has(this::isOfGroup);
      queried.set(number, !differs);
    }
    return queried;
  }

  private boolean isOfGroup(int token) {
    SqlFunction function = FunctionUses.at(tokens, token);
    return tokens.isWord(token, "OVER") || (function != null && function.is(Trait.AGGREGATE));
  }

  private boolean namesColumn(int token) {
    return tokens.isWord(token, "DEFAULT")
        || (!tokens.isPunctuation(token + 1, '(') && names.containsKey(tokens.lowerName(token)));
  }

  /** The rows' texts for a node; null: they would be others for others. */
  private @Nullable AimedRows aimed(TableRewriting rewriting, DataNode node, boolean named) {
    List<String> names = List.of(node.table());
    boolean set = syntax.form() == InsertSyntax.Form.SET;
    var rows = new AimedRows(syntax.rows().size(), source.bytes().length, task.scan().slotCount());
    for (Row row : syntax.rows()) {
      Wish.requireWanted();
      SqlTemplate text = rewriting.template(start(row), set ? row.close() : row.close() + 1);
      if (!named && text.mentionsTables()) {
        return null;
      }
      text.aimedAt(node.dataSource(), names).addTo(rows);
    }
    return rows;
  }

  private int start(Row row) {
    return tokens.isWord(row.open() - 1, "ROW") ? row.open() - 1 : row.open();
  }
}
