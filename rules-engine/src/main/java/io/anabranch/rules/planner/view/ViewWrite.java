package io.anabranch.rules.planner.view;

import static java.util.Collections.nCopies;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.rewrite.ExpandedText;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.query.GrammarWords;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.table.Triggers;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An INSERT, UPDATE or DELETE through a view over a sharded or broadcast table: it becomes a
 * statement about the table, with the view's columns and condition in it, which is planned like any
 * other. What servers refuse is refused by the view that keeps the definition. Used once.
 */
public final class ViewWrite {

  private static final int NOT_UPDATABLE = 1288;
  private static final int NOT_INSERTABLE = 1471;

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final TablePlace.Single place;
  private final KindPlanner statements;
  private final WritableView view;
  private final ExpandedText text;
  private String alias;

  private ViewWrite(
      PlanTask task,
      SourceText source,
      TablePlace.Single place,
      WritableView view,
      KindPlanner statements) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.place = place;
    this.statements = statements;
    this.view = view;
    this.text = new ExpandedText(task, source);
    this.alias = place.name();
  }

  /**
   * @param place where the table of the statement is
   * @param mention of that table
   * @param statements plans what comes out
   * @return null where it is no view over sharded or broadcast tables
   */
  public static @Nullable ViewWrite of(
      PlanTask task,
      SourceText source,
      TablePlace place,
      TableMention mention,
      KindPlanner statements) {
    if (!(place instanceof TablePlace.Single single)) {
      return null;
    }
    String query = new LogicalViews(task).shared(single.endpoint(), single.name());
    if (query == null) {
      return null;
    }
    WritableView view =
        WritableView.of(query).orElseThrow(() -> notWritable(task, source, single, mention));
    return new ViewWrite(task, source, single, view, statements);
  }

  /** The server's own error where it does not change such views either. */
  private static RuntimeException notWritable(
      PlanTask task, SourceText source, TablePlace.Single place, TableMention mention) {
    var rewriting = new TableRewriting(source, task.database().name(), List.of(mention));
    try {
      task.catalog().describe(asked(task, place, rewriting.template()));
    } catch (SchemaCatalog.DescribeException refused) {
      if (refused.errno() == NOT_UPDATABLE || refused.errno() == NOT_INSERTABLE) {
        return refused;
      }
    }
    return LogicalViews.notWritable(place.name());
  }

  // ---------------------------------------------------------------- UPDATE, DELETE

  /**
   * @param syntax of a statement that changes one table, without subqueries
   */
  public StatementPlan change(ChangeSyntax syntax) {
    TableMention mention = TableMention.at(source, syntax.tables().first());
    requirePlain(syntax.returns(tokens));
    int end = syntax.tables().behind();
    if (mention.behind() < end) {
      int name = mention.behind() + (tokens.isWord(mention.behind(), "AS") ? 1 : 0);
      if (name + 1 != end || !tokens.isName(name)) {
        throw refusal("this form of a write", "write UPDATE or DELETE with its name alone");
      }
      alias = tokens.name(name);
    }
    requireAccepted(asked(rewriting(mention).template()));
    requireKeys(syntax);
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      requireChecked(column(assignment.column()));
    }
    text.replace(mention.first(), end, TableNames.quoted(view.table()));
    names(end);
    boolean restricted = syntax.where() < syntax.order();
    if (view.condition() != null) {
      String condition = " WHERE (" + view.condition() + ")";
      if (restricted) {
        text.replace(syntax.where(), syntax.where() + 1, condition + " AND (");
      }
      text.insert(syntax.order(), restricted ? ") " : condition + " ");
    }
    return text.plan(statements);
  }

  /** Which of several rows are changed depends on what tells them apart. */
  private void requireKeys(ChangeSyntax syntax) {
    if (syntax.isLimited()) {
      TableSchema schema = schema();
      List<SchemaCatalog.Column> key =
          schema.columns().stream().filter(SchemaCatalog.Column::key).toList();
      if (key.isEmpty() || !key.stream().allMatch(column -> view.shows(column.name()))) {
        throw refusal("LIMIT without all columns of the primary key", "show them in the view");
      }
    }
  }

  // ---------------------------------------------------------------- INSERT, REPLACE

  public StatementPlan insert(InsertSyntax syntax) {
    TableMention mention = syntax.table();
    boolean reads = syntax.form() == InsertSyntax.Form.QUERY;
    requirePlain(syntax.returns() || (reads && syntax.tail() < tokens.size()));
    int behind = syntax.columnsEnd() >= 0 ? syntax.columnsEnd() + 1 : mention.behind();
    boolean plain = reads || syntax.form() == InsertSyntax.Form.SET;
    if (!plain && !tokens.isWord(behind, "VALUES") && !tokens.isWord(behind, "VALUE")) {
      throw LogicalViews.notWritable(place.name());
    }
    requireAccepted(reads ? defaults(syntax, behind) : asked(rewriting(mention).template()));
    requireFilled();
    List<String> written =
        syntax.columnsEnd() >= 0 || syntax.form() == InsertSyntax.Form.SET
            ? syntax.columns()
            : view.columns().stream().map(WritableView.Column::name).toList();
    List<String> columns = written.stream().map(this::column).toList();
    if (isChecked()) {
      throw refusal("rows for WITH CHECK OPTION", "insert them into its table");
    }
    String table = TableNames.quoted(view.table());
    if (syntax.form() == InsertSyntax.Form.SET) {
      text.replace(mention.first(), mention.behind(), table);
    } else {
      String list =
          columns.stream().map(TableNames::quoted).collect(Collectors.joining(", ", " (", ") "));
      text.replace(mention.first(), behind, table + list);
    }
    if (!reads) {
      names(syntax.body());
    }
    return text.plan(statements);
  }

  /** An INSERT … SELECT as the view can be asked about it: it has no more than the columns. */
  private ShardQuery defaults(InsertSyntax syntax, int behind) {
    int count = syntax.columnsEnd() >= 0 ? syntax.columns().size() : view.columns().size();
    var sql = new SqlBuffer(source.bytes().length);
    sql.append(asked(rewriting(syntax.table()).template(0, behind)).sql());
    sql.append(source.encode(" VALUES (" + String.join(", ", nCopies(count, "DEFAULT")) + ")"));
    return ShardQuery.text(place.endpoint(), sql.toByteArray());
  }

  /** What the view does not show gets its default, without a word of the keys that were made. */
  private void requireFilled() {
    ShardedTable sharded =
        task.database().shardedTables().get(view.table().toLowerCase(Locale.ROOT));
    ShardedTable.KeyGeneration keys = sharded == null ? null : sharded.keyGeneration();
    if (keys != null && !view.shows(keys.column())) {
      throw refusal("rows without the generated '" + keys.column() + "'", "insert into its table");
    }
    for (SchemaCatalog.Column column : schema().columns()) {
      if ((column.required() || column.autoIncrement()) && !view.shows(column.name())) {
        throw refusal("rows without '" + column.name() + "'", "insert into its table");
      }
    }
  }

  // ---------------------------------------------------------------- both

  private void requirePlain(boolean answers) {
    if (answers) {
      throw refusal("RETURNING, or ON DUPLICATE KEY UPDATE of a query", "use its table itself");
    }
    if (task.scan().hasExecutableComment()) {
      throw refusal("a version comment", "write the statement without it");
    }
  }

  /**
   * @throws SchemaCatalog.DescribeException with the error of the server that keeps the view
   */
  private void requireAccepted(ShardQuery statement) {
    task.catalog().describe(statement);
  }

  private ShardQuery asked(SqlTemplate statement) {
    return asked(task, place, statement);
  }

  private static ShardQuery asked(PlanTask task, TablePlace.Single place, SqlTemplate statement) {
    return statement.aimedAt(place.endpoint(), List.of(place.name())).render(task.written());
  }

  private TableRewriting rewriting(TableMention mention) {
    return new TableRewriting(source, task.database().name(), List.of(mention));
  }

  /** The table's column that stands behind one of the view. */
  private String column(String name) {
    WritableView.Column column = view.column(name);
    if (column == null) {
      throw ErrorCatalogue.UNKNOWN_COLUMN.refuse(name, "field list");
    }
    String of = column.of();
    if (of == null) {
      throw refusal("values of '" + name + "', an expression,", "write to the columns in it");
    }
    return of;
  }

  /** A row that the view shows stays in it if nothing changes that its condition asks for. */
  private void requireChecked(String column) {
    boolean stays = !view.asks(column) && isTable() && Triggers.areAbsent(task, view.table());
    if (!stays && isChecked()) {
      throw refusal(
          "a change of '" + column + "' under WITH CHECK OPTION", "change it in its table");
    }
  }

  private boolean isChecked() {
    String sql =
        "SELECT CHECK_OPTION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()"
            + " AND CHECK_OPTION = 'NONE' AND TABLE_NAME = "
            + TableNames.literal(place.name());
    return task.catalog().rows(place.endpoint(), sql).isEmpty();
  }

  private boolean isTable() {
    return !(new TableDirectory(task).find(null, view.table()) instanceof TablePlace.Single);
  }

  /** Of the table, which must not be a view itself. */
  private TableSchema schema() {
    List<DataNode> nodes =
        switch (new TableDirectory(task).find(null, view.table())) {
          case TablePlace.Sharded sharded -> sharded.table().nodes();
          case TablePlace.Broadcast broadcast ->
              List.of(new DataNode(place.endpoint(), broadcast.name()));
          case TablePlace.Single ignored -> throw refusal("over a view", "use its table itself");
          case TablePlace.Absent absent -> throw new TableDirectory(task).unknown(absent.name());
        };
    return task.catalog()
        .table(nodes)
        .orElseThrow(() -> new TableDirectory(task).unknown(view.table()));
  }

  /** From a token on, columns become the table's. */
  private void names(int first) {
    for (int token : tokens.from(first).where(this::beginsName)) {
      int last = tokens.lastOfName(token);
      if (last > token) {
        requireOwn(token, last);
      }
      WritableView.Column column = view.column(tokens.name(last));
      boolean called = tokens.isPunctuation(last + 1, '(');
      if (column != null && !called && (last > token || isColumn(token, column))) {
        text.replace(token, last + 1, " " + column.text() + " ");
      }
    }
  }

  private boolean beginsName(int token) {
    return tokens.isName(token) && tokens.firstOfName(token) == token;
  }

  /** Whether a name without qualifier is the column, under another name in the table. */
  private boolean isColumn(int token, WritableView.Column column) {
    if (tokens.kind(token) == TokenKind.QUOTED) {
      return true;
    }
    return !column.name().equalsIgnoreCase(column.of())
        && !tokens.isWord(token, "CURRENT_ROLE")
        && !GrammarWords.isAt(tokens, token);
  }

  private void requireOwn(int first, int last) {
    String qualifier = tokens.name(last - 2);
    boolean known =
        qualifier.equalsIgnoreCase(alias)
            && (last - first == 2
                || (last - first == 4
                    && tokens.name(first).equalsIgnoreCase(task.database().name())));
    if (!known) {
      throw refusal("'" + qualifier + "' in a write", "name columns of the view alone");
    }
  }

  private RefusedException refusal(String what, String hint) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        what + " through '" + place.name() + "', a view over sharded or broadcast tables,", hint);
  }
}
