package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.shadow.ShadowAlgorithm.Operation;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.query.Conjunction;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a statement says of the columns of a table: the rows of an INSERT, and the conditions {@code
 * column = value} and {@code column IN (values)} that all rows of another one have to meet. May
 * block on the catalogue.
 */
final class StatementValues {

  private final PlanTask task;
  private final SqlTokens tokens;
  private final Operation operation;
  private final @Nullable InsertSyntax insert;
  private final List<Span> conditions;

  /** The list of tables: its first token, and the one behind it. */
  private final Span sources;

  StatementValues(PlanTask task, Operation operation) {
    this.task = task;
    this.tokens = task.source().tokens();
    this.operation = operation;
    this.insert = operation == Operation.INSERT ? InsertSyntax.read(task.source()) : null;
    Span body = operation == Operation.INSERT ? Span.NONE : body();
    int where =
        tokens.in(body).skip(token -> tokens.depth(token) > 0 || !tokens.isWord(token, "WHERE"));
    this.sources = new Span(body.first(), where);
    this.conditions =
        where < body.behind()
            ? Conjunction.parts(tokens, new Span(where + 1, body.behind()))
            : List.of();
  }

  /** The list of tables and the condition. */
  private Span body() {
    if (operation == Operation.SELECT) {
      Optional<SelectLayout> layout = SelectLayout.of(tokens);
      return layout.map(select -> new Span(select.from(), select.body())).orElse(Span.NONE);
    }
    return new Span(0, ChangeSyntax.read(task.source()).order());
  }

  /** Each of its mentions of the column; the rows of an INSERT are one. */
  List<ColumnValues> of(String table, String column) {
    InsertSyntax rows = insert;
    if (rows != null) {
      boolean isOwn =
          rows.table().name().equalsIgnoreCase(table) && isOwn(rows.table().qualifier());
      return isOwn ? written(rows, column) : List.of();
    }
    var compared = new ArrayList<ColumnValues>();
    Set<String> names = names(table);
    for (Span condition : names.isEmpty() ? List.<Span>of() : conditions) {
      ColumnValues values = compared(condition, names, column);
      if (values != null) {
        compared.add(values);
      }
    }
    return compared;
  }

  private List<ColumnValues> written(InsertSyntax rows, String column) {
    List<String> columns = rows.columns();
    if (rows.form() == InsertSyntax.Form.VALUES && columns.isEmpty()) {
      columns = tableColumns(rows.table().name());
    }
    int position = 0;
    while (position < columns.size() && !columns.get(position).equalsIgnoreCase(column)) {
      position++;
    }
    if (rows.form() == InsertSyntax.Form.QUERY || position == columns.size()) {
      return List.of();
    }
    var slots = new ArrayList<@Nullable Integer>();
    for (InsertSyntax.Row row : rows.rows()) {
      List<Span> values = row.values();
      slots.add(
          position < values.size()
              ? ColumnValues.slot(
                  tokens, values.get(position).first(), values.get(position).behind())
              : null);
    }
    return slots.isEmpty() ? List.of() : List.of(new ColumnValues(slots));
  }

  private List<String> tableColumns(String table) {
    LogicalDatabase database = task.database();
    ShardedTable sharded = database.shardedTables().get(table.toLowerCase(Locale.ROOT));
    Optional<TableSchema> schema =
        sharded != null
            ? task.catalog().table(sharded.nodes())
            : database.endpoints().stream()
                .map(endpoint -> task.catalog().table(endpoint, table))
                .flatMap(Optional::stream)
                .findFirst();
    return schema.map(TableSchema::columns).orElse(List.of()).stream()
        .filter(column -> !column.hidden())
        .map(Column::name)
        .toList();
  }

  /**
   * What the statement calls the table; empty: it is not in the list, and the columns that the
   * conditions name are others'.
   */
  private Set<String> names(String table) {
    var names = new HashSet<String>();
    for (int token : tokens.in(sources).where(each -> isTable(each, table))) {
      int alias = tokens.isWord(token + 1, "AS") ? token + 2 : token + 1;
      names.add(table);
      names.add(tokens.name(alias).toLowerCase(Locale.ROOT));
    }
    return names;
  }

  private boolean isTable(int token, String table) {
    return tokens.isName(token)
        && tokens.name(token).equalsIgnoreCase(table)
        && !tokens.isPunctuation(token + 1, '.')
        && isListed(token);
  }

  /** Behind a word or sign that a table follows, and in no query of the list. */
  private boolean isListed(int name) {
    int first = tokens.firstOfName(name);
    boolean isOwn = first == name || (first == name - 2 && isOwn(tokens.name(first)));
    boolean begins =
        tokens.isPunctuation(first - 1, ',')
            || tokens.kind(first - 1) == TokenKind.OPTIMIZER_HINT
            || tokens.isPunctuation(first - 1, '(')
            || tokens.isAnyWord(
                first - 1,
                "FROM",
                "JOIN",
                "STRAIGHT_JOIN",
                "USING",
                "UPDATE",
                "IGNORE",
                "LOW_PRIORITY",
                "QUICK");
    int open = tokens.around(name);
    boolean isOfList =
        tokens.depth(name) == 0
            || (tokens.depth(name) == 1 && !tokens.isAnyWord(open + 1, "SELECT", "WITH"));
    return isOwn && begins && isOfList;
  }

  private boolean isOwn(@Nullable String qualifier) {
    return qualifier == null || qualifier.equalsIgnoreCase(task.database().name());
  }

  private @Nullable ColumnValues compared(Span condition, Set<String> names, String column) {
    int behind = column(condition.first(), names, column);
    if (behind >= 0) {
      boolean isEqual = tokens.isOperator(behind, "=") || tokens.isOperator(behind, "<=>");
      if (isEqual) {
        return value(behind + 1, condition.behind());
      }
      boolean isList =
          tokens.isWord(behind, "IN")
              && tokens.isPunctuation(behind + 1, '(')
              && tokens.closing(behind + 1) == condition.behind() - 1;
      return isList ? ColumnValues.listed(tokens, behind + 1) : null;
    }
    int operator =
        tokens
            .between(condition.first() + 1, condition.first() + 3)
            .find(
                each ->
                    tokens.isOperator(each, "=")
                        && column(each + 1, names, column) == condition.behind());
    return operator < 0 ? null : value(condition.first(), operator);
  }

  private @Nullable ColumnValues value(int from, int to) {
    Integer slot = ColumnValues.slot(tokens, from, to);
    return slot == null ? null : new ColumnValues(List.of(slot));
  }

  /** The token behind the column's name; -1: another thing stands there. */
  private int column(int first, Set<String> names, String column) {
    int last = tokens.lastOfName(first);
    boolean isOwn = last == first || names.contains(tokens.lowerName(last - 2));
    return isOwn && tokens.isName(last) && tokens.name(last).equalsIgnoreCase(column)
        ? last + 1
        : -1;
  }
}
