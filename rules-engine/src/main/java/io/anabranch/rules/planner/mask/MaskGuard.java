package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.qualifier.DisguisedNames;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at each statement of a user for whom columns are masked before it is planned: it goes on as
 * it is, its rows are masked, or it is refused. Blocks on the catalogue.
 */
public final class MaskGuard {

  /** Tables of servers that show values of others: histograms, statements of other sessions. */
  private static final Set<String> TELLING =
      Set.of(
          "column_stats",
          "column_statistics",
          "general_log",
          "slow_log",
          "optimizer_trace",
          "innodb_buffer_page",
          "innodb_buffer_page_lru",
          "innodb_locks",
          "innodb_trx",
          "innodb_lock_waits",
          "x$innodb_lock_waits",
          "innodb_ft_index_table",
          "innodb_ft_index_cache",
          "data_locks",
          "user_variables_by_thread",
          "error_log",
          "events_statements_history",
          "events_statements_history_long",
          "events_statements_current",
          "events_statements_summary_by_digest");

  /** Engines whose tables show rows of others. */
  private static final Set<String> READING =
      Set.of("connect", "federated", "federatedx", "spider", "merge", "mrg_myisam");

  private final PlanTask task;
  private final SqlTokens tokens;
  private final Masks masks;

  /**
   * What is done to a statement that goes on.
   *
   * @param maskers by the names of result columns, in lower case
   * @param compared slots of what masked columns are compared with: texts alone
   */
  private record MaskedShape(Map<String, Masker> maskers, int[] compared) {}

  private MaskGuard(PlanTask task) {
    this.task = task;
    this.tokens = task.source().tokens().withoutHints();
    this.masks =
        task.scope().permitted().masked().contains(key(task.database()))
            ? task.database().masks()
            : Masks.NONE;
  }

  /** Whether a database with masks is on a server of this one's. */
  private boolean isBesideMasked() {
    var servers = new HashSet<String>();
    task.database().dataSources().values().forEach(source -> servers.add(source.server()));
    return task.rules().databases().values().stream()
        .filter(other -> task.scope().permitted().masked().contains(key(other)))
        .flatMap(other -> other.dataSources().values().stream())
        .anyMatch(source -> servers.contains(source.server()));
  }

  private static String key(LogicalDatabase database) {
    return database.name().toLowerCase(Locale.ROOT);
  }

  /** Whether something is masked for the user at all. */
  public static boolean concerns(PlanTask task) {
    return !task.scope().permitted().masked().isEmpty();
  }

  /**
   * The plan of a statement of such a user: masked, or as it is.
   *
   * @param planner of the statement as it is
   * @throws io.anabranch.rules.error.RefusedException if the statement might show a masked value
   */
  public static StatementPlan plan(PlanTask task, KindPlanner planner) {
    MaskedShape shape = new MaskGuard(task).check();
    StatementPlan plan = planner.plan(task);
    return shape == null ? plan : MaskedPlan.of(task, plan, shape.maskers(), shape.compared());
  }

  /**
   * A statement that no planner sees, but a server computes what is in it.
   *
   * @param end of the tokens that are looked at
   * @throws io.anabranch.rules.error.RefusedException if it might read a table
   */
  public static void refuseReading(SqlTokens tokens, int end, StatementKind kind) {
    if (Subqueries.are(tokens, end)) {
      throw MaskedQuery.refusal("a query within " + kind);
    }
    MaskedQuery.refuseUnknownFunctions(tokens, end, kind);
    if (tokens.mention("LOAD_FILE")) {
      throw MaskedQuery.refusal("LOAD_FILE");
    }
    for (int token = 0; token < end; token++) {
      if (tokens.kind(token) == TokenKind.OPTIMIZER_HINT
          || tokens.kind(token) == TokenKind.EXECUTABLE_START) {
        throw MaskedQuery.refusal("a comment in the middle of " + kind);
      }
    }
  }

  private @Nullable MaskedShape check() {
    String disguised = DisguisedNames.first(tokens);
    if (disguised != null) {
      throw MaskedQuery.refusal("the name '" + disguised + "', which servers read as another,");
    }
    MaskedText.check(tokens, task.source().text());
    refuseOtherDatabases();
    if (masks.columns().isEmpty() && !isBesideMasked()) {
      return null;
    }
    StatementKind kind = task.scan().kind();
    refuseTelling(kind);
    switch (kind) {
      case CALL, OTHER, PREPARE, EXECUTE ->
          throw MaskedQuery.refusal(tokens.text(0).toUpperCase(Locale.ROOT));
      case CREATE, ALTER -> refusePrograms();
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE, DO, SET -> {
        MaskedQuery.refuseUnknownFunctions(tokens, tokens.size(), kind);
      }
      case LOAD_DATA -> {
        if (!isWord(2, "LOCAL") && !isWord(3, "LOCAL")) {
          throw MaskedQuery.refusal("a file of the server's");
        }
        if (Subqueries.are(tokens, tokens.size())) {
          throw MaskedQuery.refusal("a query within LOAD DATA");
        }
        MaskedQuery.refuseUnknownFunctions(tokens, tokens.size(), StatementKind.INSERT);
      }
      case SHOW -> {
        if (isWord(1, "BINLOG", "RELAYLOG", "ENGINE", "EXPLAIN", "ANALYZE")) {
          throw MaskedQuery.refusal("SHOW " + tokens.text(1));
        }
      }
      case DESCRIBE -> {
        if (tokens.mention("CONNECTION")) {
          throw MaskedQuery.refusal("EXPLAIN of another connection");
        }
      }
      default -> {}
    }
    refuseViews();
    if (masks.columns().isEmpty()) {
      return null;
    }
    Set<String> mentioned = mentioned();
    if (mentioned.isEmpty()) {
      return null;
    }
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.kind(token) == TokenKind.EXECUTABLE_START) {
        throw MaskedQuery.refusal("a comment that some servers execute");
      }
    }
    refuseIndexHints();
    var names = new MaskedNames(masks.named(mentioned));
    MaskedText.refuseAlike(tokens, names);
    var comparison = new MaskedComparison(tokens);
    new MaskedChange(tokens, names, comparison, kind).check();
    if (kind == StatementKind.SELECT) {
      new MaskedQuery(tokens, names, comparison).check();
      return new MaskedShape(names.all(), comparison.slots());
    }
    return comparison.slots().length == 0 ? null : new MaskedShape(Map.of(), comparison.slots());
  }

  /** A table may be named by its database where another one is the current one. */
  private void refuseOtherDatabases() {
    for (LogicalDatabase other : task.rules().databases().values()) {
      boolean isOther =
          task.scope().permitted().masked().contains(key(other))
              && !key(other).equals(key(task.database()));
      if (!isOther) {
        continue;
      }
      Set<String> schemas = new HashSet<>(Set.of(key(other)));
      other
          .dataSources()
          .values()
          .forEach(source -> schemas.add(source.schema().toLowerCase(Locale.ROOT)));
      Set<String> tables = tables(other).keySet();
      for (int token = 0; token + 2 < tokens.size(); token++) {
        if (tokens.isName(token)
            && tokens.isPunctuation(token + 1, '.')
            && schemas.contains(lower(token))
            && tables.contains(lower(token + 2))) {
          throw ErrorCatalogue.MASKED.refuse(
              "a table of the database '" + other.name() + "' that is not the current one");
        }
      }
    }
  }

  private String lower(int token) {
    return tokens.name(token).toLowerCase(Locale.ROOT);
  }

  /** Masked tables by each name that they have, those of their parts included; in lower case. */
  private static Map<String, String> tables(LogicalDatabase database) {
    var tables = new HashMap<String, String>();
    database.masks().columns().keySet().forEach(table -> tables.put(table, table));
    for (ShardedTable table : database.shardedTables().values()) {
      String name = table.name().toLowerCase(Locale.ROOT);
      if (database.masks().has(name)) {
        table.nodes().forEach(node -> tables.put(node.table().toLowerCase(Locale.ROOT), name));
      }
    }
    return tables;
  }

  /** Of all databases with masks. */
  private Set<String> allTables() {
    var tables = new HashSet<String>();
    for (LogicalDatabase each : task.rules().databases().values()) {
      if (task.scope().permitted().masked().contains(key(each))) {
        tables.addAll(tables(each).keySet());
      }
    }
    return tables;
  }

  private Set<String> mentioned() {
    Map<String, String> tables = tables(task.database());
    var mentioned = new TreeSet<String>();
    for (int token = 0; token < tokens.size(); token++) {
      String table = tokens.isName(token) ? tables.get(lower(token)) : null;
      if (table != null) {
        mentioned.add(table);
      }
    }
    return mentioned;
  }

  /** What a view shows of a masked table is not told apart. */
  private void refuseViews() {
    var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token)) {
        names.add(tokens.name(token));
      }
    }
    for (String endpoint : task.database().endpoints()) {
      for (String table : task.catalog().tableNames(endpoint)) {
        if (names.contains(table) && showsMasked(endpoint, table, new HashSet<>())) {
          throw MaskedQuery.refusal("the view '" + table + "'");
        }
      }
    }
  }

  private boolean showsMasked(String endpoint, String name, Set<String> seen) {
    if (!seen.add(name.toLowerCase(Locale.ROOT))) {
      return false;
    }
    TableSchema schema = task.catalog().table(endpoint, name).orElse(null);
    String query = schema == null ? null : schema.view();
    if (query == null) {
      return false;
    }
    Set<String> tables = allTables();
    SqlTokens own = SqlTokens.of(query);
    boolean shows = query.isEmpty();
    for (int token = 0; token < own.size() && !shows; token++) {
      boolean calls = own.isName(token) && own.isPunctuation(token + 1, '(');
      shows =
          own.isName(token)
              && (tables.contains(own.name(token).toLowerCase(Locale.ROOT))
                  || (calls && MaskedQuery.isStoredFunction(own, token))
                  || showsMasked(endpoint, own.name(token), seen));
    }
    return shows;
  }

  /** Programs may make up statements, and some engines read other tables. */
  private void refusePrograms() {
    for (int token = 1; token < tokens.size(); token++) {
      boolean isProgram =
          isWord(token, "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE")
              && tokens.depth(token) == 0
              && !tokens.isPunctuation(token - 1, '.');
      boolean isUnion = isWord(token, "UNION") && tokens.isOperator(token + 1, "=");
      boolean reads = READING.contains(unquoted(token)) && tokens.mention("ENGINE");
      if (isProgram || reads || isUnion) {
        throw MaskedQuery.refusal(
            tokens.text(0).toUpperCase(Locale.ROOT)
                + ' '
                + tokens.text(token).toUpperCase(Locale.ROOT));
      }
    }
  }

  private void refuseTelling(StatementKind kind) {
    if (tokens.mention("LOAD_FILE")) {
      throw MaskedQuery.refusal("LOAD_FILE");
    }
    boolean reads = kind != StatementKind.SHOW && kind != StatementKind.DESCRIBE;
    for (int token = 0; token < tokens.size() && reads; token++) {
      if (tokens.isName(token) && TELLING.contains(lower(token))) {
        throw MaskedQuery.refusal(
            "'" + tokens.name(token) + "', which shows values of other tables,");
      }
    }
  }

  /** Rows come in the order of the index that is read. */
  private void refuseIndexHints() {
    for (int token = 1; token < tokens.size(); token++) {
      if (isWord(token, "INDEX", "KEY") && isWord(token - 1, "USE", "FORCE", "IGNORE")) {
        throw MaskedQuery.refusal("an index hint");
      }
    }
  }

  /** Servers take texts for engines, too. */
  private String unquoted(int token) {
    String text = tokens.text(token).toLowerCase(Locale.ROOT);
    boolean isQuoted = tokens.kind(token) != TokenKind.WORD && text.length() > 2;
    return isQuoted ? text.substring(1, text.length() - 1) : text;
  }

  private boolean isWord(int token, String... words) {
    for (String word : words) {
      if (tokens.isWord(token, word)) {
        return true;
      }
    }
    return false;
  }
}
