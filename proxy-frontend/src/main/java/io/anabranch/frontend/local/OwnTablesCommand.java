package io.anabranch.frontend.local;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.rewrite.OwnTablesText;
import io.anabranch.frontend.rewrite.OwnTablesText.Reference;
import io.anabranch.frontend.rewrite.SessionFunctions;
import io.anabranch.frontend.rewrite.SystemSchema;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.stage.StageSources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statements on the schema {@code anabranch}. A query runs in a database, over copies of the tables
 * that it names ({@code backend.stage}); {@code SELECT * FROM} one table needs none. On the
 * session's event loop.
 */
public final class OwnTablesCommand {

  private final VirtualSchema schema;
  private final StatementCourse course;

  public OwnTablesCommand(VirtualSchema schema, StatementCourse course) {
    this.schema = schema;
    this.course = course;
  }

  /**
   * @return false, and nothing has happened, if the statement is about none of the tables
   * @throws io.anabranch.rules.error.RefusedException 1044, 1142, 1146
   */
  public boolean answer(CurrentStatement statement, Answer answer) {
    Session session = answer.session();
    if (!statement.scan().mentionsOwnSchema()
        || session.deployment().backend(VirtualSchema.NAME) != null) {
      return false;
    }
    LocalStatements.requireShort(statement.scan());
    StatementKind kind = statement.scan().kind();
    if (kind == StatementKind.SHOW) {
      return show(statement.source(), answer);
    }
    SqlTokens tokens = statement.source().tokens();
    String named = OwnTablesText.namedTable(tokens);
    if (named == null || kind == StatementKind.EXPLAIN_ROUTE) {
      return false;
    }
    requireAdmin(session, kind, named);
    switch (kind) {
      case SELECT, QUERY_EXPRESSION -> select(statement, answer);
      case DESCRIBE -> describe(tokens, answer);
      case TRUNCATE -> clear(named, session, statement.command().prepareReply() != null, answer);
      default -> throw denied(session, kind, named);
    }
    return true;
  }

  private static void requireAdmin(Session session, StatementKind kind, String table) {
    if (!session.user().admin()) {
      throw denied(session, kind, table);
    }
  }

  private static RuntimeException denied(Session session, StatementKind kind, String table) {
    String command =
        switch (kind) {
          case QUERY_EXPRESSION, DESCRIBE -> "SELECT";
          case TRUNCATE -> "DROP";
          default -> kind.name();
        };
    return ErrorCatalogue.TABLE_DENIED.refuse(
        command, session.user().name(), session.clientHost(), VirtualSchema.NAME, table);
  }

  private VirtualTable table(String name) {
    VirtualTable table = schema.table(name);
    if (table == null) {
      throw ErrorCatalogue.NO_SUCH_TABLE.refuse(VirtualSchema.NAME, name);
    }
    return table;
  }

  private void clear(String name, Session session, boolean prepares, Answer answer) {
    VirtualTable table = table(name);
    if (!prepares && !table.clear()) {
      throw denied(session, StatementKind.TRUNCATE, name);
    }
    answer.ok();
  }

  // ---------------------------------------------------------------- SHOW, DESCRIBE

  private boolean show(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(1, "CREATE") && tokens.isWord(2, "TABLE")) {
      return showCreate(tokens, answer);
    }
    int what = tokens.isWord(1, "FULL") || tokens.isWord(1, "EXTENDED") ? 2 : 1;
    boolean isIn = tokens.isWord(what + 1, "FROM") || tokens.isWord(what + 1, "IN");
    if (!isIn) {
      return false;
    }
    Session session = answer.session();
    if (tokens.isWord(what, "TABLES") && isSchema(tokens, what + 2)) {
      if (!session.user().admin()) {
        throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
            session.user().name(), session.clientHost(), VirtualSchema.NAME);
      }
      showTables(tokens, what + 3, what == 2, answer);
      return true;
    }
    if (!tokens.isWord(what, "COLUMNS") && !tokens.isWord(what, "FIELDS")) {
      return false;
    }
    boolean isBefore = isSchema(tokens, what + 2) && tokens.isPunctuation(what + 3, '.');
    boolean isBehind =
        (tokens.isWord(what + 3, "FROM") || tokens.isWord(what + 3, "IN"))
            && isSchema(tokens, what + 4);
    if (!isBefore && !isBehind) {
      return false;
    }
    String name = tokens.name(isBefore ? what + 4 : what + 2);
    requireAdmin(session, StatementKind.SELECT, name);
    columns(table(name), pattern(tokens, what + 5), what == 2, answer);
    return true;
  }

  private boolean showCreate(SqlTokens tokens, Answer answer) {
    if (!isSchema(tokens, 3) || !tokens.isPunctuation(4, '.') || tokens.size() != 6) {
      return false;
    }
    requireAdmin(answer.session(), StatementKind.SELECT, tokens.name(5));
    VirtualTable table = table(tokens.name(5));
    answer.rows(
        List.of(LocalColumns.required("Table", 64), LocalColumns.required("Create Table", 65_535)),
        List.of(
            List.of(table.name(), "CREATE TABLE `" + table.name() + "` " + table.definition())));
    return true;
  }

  private static boolean isSchema(SqlTokens tokens, int token) {
    return tokens.isName(token) && tokens.name(token).equalsIgnoreCase(VirtualSchema.NAME);
  }

  /** Behind LIKE; null: there is none. */
  private static @Nullable String pattern(SqlTokens tokens, int at) {
    if (at >= tokens.size()) {
      return null;
    }
    if (tokens.isWord(at, "LIKE")
        && at + 2 == tokens.size()
        && tokens.kind(at + 1) == TokenKind.STRING) {
      String quoted = tokens.text(at + 1);
      return quoted.substring(1, quoted.length() - 1);
    }
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        "this condition on tables of " + VirtualSchema.NAME, "use LIKE");
  }

  private void showTables(SqlTokens tokens, int behind, boolean full, Answer answer) {
    String like = pattern(tokens, behind);
    String title = "Tables_in_" + VirtualSchema.NAME + (like == null ? "" : " (" + like + ")");
    var columns = new ArrayList<ResultColumn>();
    columns.add(LocalColumns.required(title, 64));
    if (full) {
      columns.add(LocalColumns.required("Table_type", 11));
    }
    List<List<String>> rows =
        schema.tables().stream()
            .map(VirtualTable::name)
            .filter(name -> like == null || LikePattern.matches(name, like))
            .map(name -> full ? List.of(name, "SYSTEM VIEW") : List.of(name))
            .toList();
    answer.rows(columns, rows);
  }

  /** {@code DESC anabranch.digests [column]}; what else the word begins is refused. */
  private void describe(SqlTokens tokens, Answer answer) {
    boolean isTable = isSchema(tokens, 1) && tokens.isPunctuation(2, '.') && tokens.size() <= 5;
    if (!isTable) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "EXPLAIN of a query over tables of " + VirtualSchema.NAME, "run it");
    }
    columns(table(tokens.name(3)), tokens.size() == 5 ? tokens.name(4) : null, false, answer);
  }

  private static void columns(
      VirtualTable table, @Nullable String like, boolean full, Answer answer) {
    var titles = new ArrayList<>(List.of("Field", "Type"));
    if (full) {
      titles.add("Collation");
    }
    titles.addAll(List.of("Null", "Key", "Default", "Extra"));
    if (full) {
      titles.addAll(List.of("Privileges", "Comment"));
    }
    var rows = new ArrayList<List<@Nullable String>>();
    for (VirtualColumn column : table.columns()) {
      if (like != null && !LikePattern.matches(column.name(), like)) {
        continue;
      }
      var row = new ArrayList<@Nullable String>(List.of(column.name(), column.shown()));
      if (full) {
        row.add(column.type() == VirtualColumn.Type.TEXT ? "utf8mb4_general_ci" : null);
      }
      row.addAll(List.of("YES", ""));
      row.add(null);
      row.add("");
      if (full) {
        row.addAll(List.of("select", ""));
      }
      rows.add(row);
    }
    answer.rows(titles.stream().map(title -> LocalColumns.text(title, 64)).toList(), rows);
  }

  // ---------------------------------------------------------------- queries

  private void select(CurrentStatement statement, Answer answer) {
    SourceText source = statement.source();
    var text = OwnTablesText.of(source, schema);
    if (isWhole(source.tokens())) {
      VirtualTable table = text.references().getFirst().table();
      if (statement.command().prepareReply() != null) {
        answer.rows(table.described(), List.of());
        return;
      }
      answer.blocking(
          () -> {
            List<? extends List<@Nullable String>> rows = table.fittingRows();
            return () -> answer.rows(table.described(), rows);
          });
      return;
    }
    Session session = answer.session();
    refuseOthers(source, session);
    // of the client's session, not of the connection with the copies
    Backend on = session.anyBackend();
    if (SessionFunctions.mayAsk(source, on)) {
      answer.blocking(
          () -> {
            on.learnServers();
            return () -> select(statement, answer);
          });
      return;
    }
    String literal = SessionFunctions.replace(source, session, on);
    if (literal != null) {
      statement.replace(literal);
    }
    stage(statement, literal == null ? text : OwnTablesText.of(statement.source(), schema), answer);
  }

  /** {@code SELECT * FROM anabranch.digests}. */
  private static boolean isWhole(SqlTokens tokens) {
    return tokens.size() == 6
        && tokens.isWord(0, "SELECT")
        && tokens.text(1).equals("*")
        && tokens.isWord(2, "FROM");
  }

  /** A copy's neighbour would be whatever the staging connection finds under that name. */
  private static void refuseOthers(SourceText source, Session session) {
    SqlTokens tokens = source.tokens();
    boolean areOthers =
        SystemSchema.qualify(source, VirtualSchema.NAME) != null
            || tokens.all().qualifiers().stream()
                .anyMatch(name -> session.deployment().backend(tokens.name(name)) != null);
    if (areOthers) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "tables of " + VirtualSchema.NAME + " and of other databases in one statement",
          "ask for them apart");
    }
  }

  private void stage(CurrentStatement statement, OwnTablesText text, Answer answer) {
    Session session = answer.session();
    Backend on = session.anyBackend();
    var names = new HashMap<String, String>();
    var definitions = new HashMap<String, String>();
    for (Reference each : text.references()) {
      names.put(each.copy(), each.table().name());
      definitions.put(each.copy(), each.table().definition());
    }
    statement.target().backend(on);
    statement.target().names(new NameMapping(VirtualSchema.NAME, names));
    statement.target().access(Access.READ);
    boolean prepares = statement.command().prepareReply() != null;
    byte[] sql = text.text().getBytes(session.charset());
    String configured = session.deployment().rules().properties().stageDataSource();
    var sources = new StageSources(on.database(), configured);
    String place = configured.isEmpty() ? on.anyEndpoint() : sources.choose(Map.of());
    var query = ShardQuery.taking(statement.scan().parameterCount(), place, sql);
    answer.blocking(
        () -> {
          var tables = new ArrayList<StagedTable>();
          for (Reference each : text.references()) {
            tables.add(copied(each, prepares));
          }
          List<ResultColumn> columns =
              prepares
                  ? statement
                      .target()
                      .names()
                      .logical(on.catalog().describeOver(definitions, query))
                  : List.of();
          int room = Math.max(1, sources.room(place));
          var plan = new BoundPlan.Merged(new PlanNode.Stage(tables, query, columns, room, false));
          return () -> {
            statement.times().planned(System.nanoTime());
            course.run(plan);
          };
        });
  }

  private static StagedTable copied(Reference reference, boolean prepares) {
    VirtualTable table = reference.table();
    List<ResultColumn> columns = table.columns().stream().map(VirtualColumn::copied).toList();
    List<? extends List<@Nullable String>> rows = prepares ? List.of() : table.fittingRows();
    return new StagedTable(
        reference.copy(),
        table.definition(),
        new PlanNode.LocalRows(columns, rows),
        table.cells(),
        null);
  }
}
