package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.CheckedKeys;
import io.anabranch.rules.placement.ColumnList;
import io.anabranch.rules.plan.KeyCheck;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.planner.insert.TableIntake.Intake;
import io.anabranch.rules.planner.query.RowSource;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.HintedVariables;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.ReturningClause;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans one INSERT or REPLACE … SELECT whose rows are read first and then given to the nodes of
 * their table. Used once.
 */
final class InsertQuery {

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final InsertSyntax syntax;
  private final TableIntake table;

  /** Positions of values that are DEFAULT in all rows: their columns are left out. */
  private final BitSet defaulted;

  /**
   * @param nodes all nodes of the table, as it is named there
   */
  InsertQuery(PlanTask task, SourceText source, InsertSyntax syntax, List<DataNode> nodes) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    refuseHintedVariables(tokens);
    this.syntax = syntax;
    this.defaulted = ComputedRows.defaulted(tokens, syntax);
    TableIntake all = intake(nodes, lists(syntax) ? syntax.columns() : null);
    this.table = defaulted.isEmpty() ? all : intake(nodes, given(all.columns()));
    refuseWhatReadsTheQuery();
  }

  /** Rows are placed, given keys and computed as the session's own variables say. */
  static void refuseHintedVariables(SqlTokens tokens) {
    Refusal hinted = HintedVariables.refusalOfWrite(tokens);
    if (hinted != null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(hinted.construct(), hinted.wayOut());
    }
  }

  private TableIntake intake(List<DataNode> nodes, @Nullable List<String> columns) {
    boolean cuts = syntax.ignores() || !task.scope().isStrict();
    return new TableIntake(task, syntax.table().name(), nodes, columns, cuts);
  }

  private List<String> given(List<String> columns) {
    var given = new ArrayList<String>();
    for (int i = 0; i < columns.size(); i++) {
      if (!defaulted.get(i)) {
        given.add(columns.get(i));
      }
    }
    return given;
  }

  /** What computes the values of rows that are not a query's. */
  Substatement values(ComputedRows rows) {
    return rows.query(table, defaulted);
  }

  /**
   * The statement's query as its rows are read.
   *
   * @param plain as the client wrote it
   */
  Substatement feeding(Substatement plain, StatementReader reader) {
    return feeding(plain, reader.read(plain.task()));
  }

  /** The same of a query that is read already. */
  Substatement feeding(Substatement plain, Analysis analysis) {
    String name = syntax.table().name();
    String nearest = table.nodes().getFirst().dataSource();
    boolean isMariaDb = task.catalog().isMariaDb(nearest);
    new UpdatedNames(tokens, syntax, table.allColumns(), isMariaDb).refuse(analysis);
    Span query = syntax.query(tokens);
    return new FeedingQuery(
            task, source, query.first(), query.behind(), name, table.types(), plain, analysis)
        .query();
  }

  /** Into a sharded table: each row to its node. */
  StatementPlan intoNodesOf(ShardedTable sharded, RowSource rows) {
    KeyCheck check = check(sharded);
    var updates =
        new DuplicateUpdates(tokens, syntax, sharded, ColumnList.positions(table.columns()));
    updates.refuseMoves(check != null);
    Refusal together = updates.together();
    if (syntax.rows().size() != 1 && table.nodes().size() > 1 && together != null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(together.construct(), together.wayOut());
    }
    return plan(rows, table.into(sharded), PlanNode.Summing.SUM, check);
  }

  /** Into one node, or the same into all of them. */
  StatementPlan into(PlanNode.Summing summing, RowSource rows) {
    return plan(rows, table.into(summing), summing, null);
  }

  /** The rows travel without the tables that they come from: nothing else may name those. */
  private void refuseWhatReadsTheQuery() {
    for (InsertSyntax.Assignment update : syntax.updates()) {
      int foreign = tokens.in(update.value()).find(this::readsTheQuery);
      if (foreign >= 0) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "'" + tokens.text(foreign) + "' in ON DUPLICATE KEY UPDATE of an INSERT … SELECT",
            "use VALUES(column)");
      }
    }
  }

  private boolean readsTheQuery(int token) {
    boolean isName = tokens.isName(token) && !tokens.isPunctuation(token + 1, '(');
    boolean isForeign =
        tokens.isPunctuation(token + 1, '.')
            ? !tokens.name(token).equalsIgnoreCase(syntax.table().name())
            : tokens.kind(token) == TokenKind.QUOTED
                && !table.allColumns().contains(tokens.lowerName(token));
    return (isName && isForeign) || tokens.isWord(token, "SELECT");
  }

  /** What looks for the rows' unique keys on all nodes; null: nothing has to. */
  private @Nullable KeyCheck check(ShardedTable sharded) {
    CheckedKeys keys = table.checkedKeys(task, sharded);
    if (keys == null) {
      return null;
    }
    keys.refuseUpdates(syntax.updates());
    boolean plain = !syntax.ignores() && syntax.updates().isEmpty() && !tokens.isWord(0, "REPLACE");
    return keys.check(table.columns(), plain);
  }

  private StatementPlan plan(
      RowSource rows, Intake intake, PlanNode.Summing summing, @Nullable KeyCheck check) {
    var rewriting = new TableRewriting(source, task.database().name(), List.of(syntax.table()));
    boolean listed = syntax.columnsEnd() >= 0;
    String key = intake.appended();
    boolean isNew = syntax.form() == InsertSyntax.Form.SET || !defaulted.isEmpty();
    String list =
        table.columns().stream()
            .map(TableNames::quoted)
            .collect(Collectors.joining(", ", " (", ")"));
    boolean isNamed =
        !listed && !table.columns().isEmpty() && source.charset().newEncoder().canEncode(list);
    if (isNamed && !isNew) {
      ColumnList.putBehindTarget(syntax, list, rewriting);
    }
    if (key != null && listed && !isNew) {
      KeyText.appendToList(syntax, key, table.columns().isEmpty(), rewriting);
    }
    if (key != null) {
      KeyText.appendToNames(tokens, syntax, rewriting);
    }
    SqlTemplate head =
        isNew
            ? headOfList(rewriting, key)
            : rewriting.template(0, listed ? syntax.columnsEnd() + 1 : syntax.targetEnd());
    SqlTemplate tail = rewriting.template(syntax.tail(), tokens.size());
    var around = new ArrayList<InsertQueryPlan.Text>();
    for (DataNode node : table.nodes()) {
      List<String> name = List.of(node.table());
      around.add(
          new InsertQueryPlan.Text(
              head.aimedAt(node.dataSource(), name), tail.aimedAt(node.dataSource(), name)));
    }
    String name = syntax.table().name();
    NameMapping names =
        InsertQueryPlan.names(task.database().name(), table.nodes(), name, rows.plan());
    return new InsertQueryPlan(
        task.scan().kind(),
        names,
        syntax.returns() ? returning(around, intake, names, rewriting) : null,
        rows,
        around,
        intake.rows(),
        summing,
        verb(),
        !syntax.ignores() && task.scope().isStrict(),
        syntax.rows().size() != 1 && (syntax.ignores() || !task.scope().isStrict()),
        Math.max(1, syntax.rows().size()),
        !syntax.updates().isEmpty(),
        check);
  }

  /** Whether the statement names the columns of its rows. */
  private static boolean lists(InsertSyntax syntax) {
    return syntax.columnsEnd() >= 0 || syntax.form() == InsertSyntax.Form.SET;
  }

  /** Rows that have been computed may have a list of their own, and have one in place of SET. */
  private SqlTemplate headOfList(TableRewriting rewriting, @Nullable String key) {
    var columns = new StringJoiner(", ", "(", ")");
    table.columns().forEach(column -> columns.add(TableNames.quoted(column)));
    if (key != null) {
      columns.add(TableNames.quoted(key));
    }
    boolean listed = syntax.columnsEnd() >= 0;
    int last = listed ? syntax.columnsEnd() : syntax.body() - 1;
    int first =
        listed
            ? tokens.between(0, last + 1).findLast(token -> tokens.isPunctuation(token, '('))
            : last;
    rewriting.replace(first, last + 1, rewriting.text(columns.toString()));
    return rewriting.template(0, last + 1);
  }

  private PlanNode.Verb verb() {
    if (syntax.rows().size() == 1) {
      return PlanNode.Verb.INSERT_ROW;
    }
    return syntax.ignores() ? PlanNode.Verb.INSERT_IGNORE : PlanNode.Verb.INSERT;
  }

  /** The columns of RETURNING, as of an INSERT of one row. */
  private ReturningClause returning(
      List<InsertQueryPlan.Text> around,
      Intake intake,
      NameMapping names,
      TableRewriting rewriting) {
    int node = task.nearest(around.size(), i -> table.nodes().get(i).dataSource());
    RowTarget.Around text = around.get(node).around(task.written(), false);
    int width = intake.rows().columns().length;
    var sql = new SqlBuffer(64).append(text.head()).append(source.encode("("));
    for (int i = 0; i < width; i++) {
      sql.append(source.encode(i == 0 ? "NULL" : ", NULL"));
    }
    sql.append(source.encode(")")).append(text.tail());
    ShardQuery insert = new ShardQuery(text.dataSource(), sql.toByteArray(), text.parameters());
    return ReturningClause.describe(task, syntax.returning(), insert, names)
        .orNone(task, returned(table.nodes().get(node), rewriting), names);
  }

  /** A query of the columns that the INSERT returns: of itself a database tells none. */
  private ShardQuery returned(DataNode node, TableRewriting rewriting) {
    AimedText items =
        rewriting
            .template(syntax.returning() + 1, tokens.size())
            .aimedAt(node.dataSource(), List.of(node.table()));
    var sql = new SqlBuffer(64).append(source.encode("SELECT "));
    items.appendTo(sql, task.written());
    sql.append(source.encode(" FROM " + TableNames.quoted(node.table())));
    return new ShardQuery(node.dataSource(), sql.toByteArray(), items.parameters());
  }
}
