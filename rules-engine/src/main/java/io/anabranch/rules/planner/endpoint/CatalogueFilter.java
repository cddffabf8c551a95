package io.anabranch.rules.planner.endpoint;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.metadata.SystemTables;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.RequalifiedPlan;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.right.Grants;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.task.PlanTask;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The server's own catalogue as a user sees it who is kept to some of its databases: tables of
 * {@code information_schema} become derived tables without the others' rows. By tokens alone,
 * because nothing else is known of statements that pass through; what these leave in doubt is
 * refused.
 */
public final class CatalogueFilter {

  private static final Set<String> BEFORE_TABLE = Set.of("FROM", "JOIN", "STRAIGHT_JOIN");

  private final PlanTask task;
  private final String endpoint;
  private final SqlTokens tokens;
  private final SourceEdits edits;

  /** What the server calls the user's databases, to their logical names. */
  private final Map<String, String> schemas;

  /**
   * @param edits of the statement, perhaps with some already; changed
   */
  public CatalogueFilter(PlanTask task, SourceEdits edits, String endpoint) {
    this.task = task;
    this.endpoint = endpoint;
    this.tokens = edits.source().tokens();
    this.edits = edits;
    this.schemas = ownSchemas();
  }

  /** Whether the statement reads the catalogue, and its user may not see all of it. */
  public static boolean concerns(PlanTask task, SqlTokens tokens) {
    if (task.scope().permitted().isAll()) {
      return false;
    }
    return tokens.all().has(token -> isCatalogue(tokens, token));
  }

  private static boolean isCatalogue(SqlTokens tokens, int token) {
    return tokens.isName(token) && tokens.name(token).equalsIgnoreCase(CatalogueTable.SCHEMA);
  }

  private Map<String, String> ownSchemas() {
    var own = new LinkedHashMap<String, String>();
    LogicalDatabase database = task.database();
    own.put(task.catalog().defaultSchema(endpoint), database.name());
    for (LogicalDatabase other : task.rules().databases().values()) {
      if (task.scope().permitted().has(other.name()) && database.isBeside(other)) {
        own.put(other.name(), other.name());
      }
    }
    return own;
  }

  /**
   * What the user sees of a table.
   *
   * @param column that names the database
   */
  private String ofOwn(String table, String column) {
    Grants grants = task.scope().permitted().grants();
    String all = CatalogueTable.SCHEMA + "." + TableNames.quoted(table);
    if (!grants.isUnlimited()) {
      ShardQuery query = ShardQuery.text(endpoint, edits.source().encode("SELECT * FROM " + all));
      List<String> columns =
          task.catalog().describe(query).stream().map(ResultColumn::name).toList();
      return SystemTables.seen(table, columns, all, schemas, grants);
    }
    return Stream.concat(schemas.keySet().stream(), Stream.of(CatalogueTable.SCHEMA))
        .map(TableNames::literal)
        .collect(
            Collectors.joining(", ", "SELECT * FROM " + all + " WHERE " + column + " IN (", ")"));
  }

  public StatementPlan plan(Access access) {
    tables();
    int[] named = ItemNames.keep(edits);
    return new RequalifiedPlan(
        task.scan().kind(),
        access,
        NameMapping.ofSchema(task.database().name()),
        endpoint,
        edits.copy(0, edits.source().bytes().length),
        named);
  }

  // ---------------------------------------------------------------- tables

  private void tables() {
    for (int token : tokens.all().where(each -> isCatalogue(tokens, each) && !isOfShow(each))) {
      boolean isQualifier = tokens.isPunctuation(token + 1, '.');
      if (isMark(token + 1) || (isQualifier && !tokens.isName(token + 2))) {
        throw unclear("comments inside of names");
      }
      if (isQualifier && tokens.isPunctuation(token + 3, '.')) {
        edits.replace(edits.start(token), edits.start(token + 2), List.of());
      } else if (isQualifier) {
        table(token);
      }
    }
  }

  /** Of SHOW … FROM and DESCRIBE: what the catalogue's tables look like is no secret. */
  private boolean isOfShow(int token) {
    boolean describes =
        tokens.isWord(0, "DESC") || tokens.isWord(0, "DESCRIBE") || tokens.isWord(0, "EXPLAIN");
    return describes ? token == 1 : tokens.isWord(0, "SHOW") && tokens.depth(token) == 0;
  }

  private boolean isMark(int token) {
    if (token >= tokens.size()) {
      return false;
    }
    return switch (tokens.kind(token)) {
      case EXECUTABLE_START, EXECUTABLE_END, OPTIMIZER_HINT -> true;
      default -> false;
    };
  }

  private void table(int qualifier) {
    if (isStored()) {
      throw unclear("what the server keeps");
    }
    boolean isTable =
        tokens.isPunctuation(qualifier - 1, ',')
            || tokens.isPunctuation(qualifier - 1, '(')
            || BEFORE_TABLE.contains(tokens.word(qualifier - 1));
    if (!isTable) {
      throw unclear("this place");
    }
    int name = qualifier + 2;
    String column = SystemTables.schemaColumn(tokens.name(name));
    if (!column.isEmpty()) {
      String table = tokens.name(name);
      boolean aliased = isAliased(name);
      String alias = aliased ? ")" : ") AS " + tokens.text(name);
      edits.derive(
          qualifier, name + 1, aliased, List.of(edits.text("(" + ofOwn(table, column) + alias)));
    }
  }

  /** CREATE and ALTER but of a table: the text is run later, perhaps for somebody else. */
  private boolean isStored() {
    boolean defines = tokens.isWord(0, "CREATE") || tokens.isWord(0, "ALTER");
    return defines && !tokens.between(1, 5).hasWord("TABLE");
  }

  private boolean isAliased(int name) {
    int next = name + 1;
    return tokens.isName(next)
        && !tokens.isAnyWord(next, "DO", "THEN", "END")
        && !ClauseEnds.endsTable(tokens, next);
  }

  private static RefusedException unclear(String place) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "information_schema in " + place + ", by users without admin",
        "read it with FROM in a SELECT");
  }
}
