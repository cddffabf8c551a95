package io.anabranch.rules.planner.show;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.maintenance.MaintenancePlanner;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Set;

/**
 * A statement whose answer tells the schema's name, on a server that calls it otherwise: SHOW, and
 * what is done to tables.
 */
public record RenamedAnswer(
    StatementKind kind,
    NameMapping names,
    String endpoint,
    List<Piece> pieces,
    String actual,
    List<ResultColumn> columns)
    implements StatementPlan {

  /** Subjects of SHOW whose answers have the name in columns or cells. */
  private static final Set<String> SHOWN = Set.of("TABLES", "OPEN", "TRIGGERS", "EVENTS", "CREATE");

  private static final int[] NO_NODES = {};
  private static final ShardedNames NO_NAMES = ShardedNames.none();

  public RenamedAnswer {
    pieces = List.copyOf(pieces);
    columns = List.copyOf(columns);
  }

  /** Whether the answer of such a statement tells the schema's name. */
  public static boolean concerns(StatementKind kind, SqlTokens tokens) {
    return switch (kind) {
      case SHOW -> showsNames(tokens);
      case TABLE_MAINTENANCE -> true;
      case OTHER -> tokens.isWord(0, "CACHE") || tokens.isWord(0, "LOAD");
      default -> false;
    };
  }

  private static boolean showsNames(SqlTokens tokens) {
    int subject = tokens.from(1).skipWords("FULL", "EXTENDED");
    return SHOWN.stream().anyMatch(word -> tokens.isWord(subject, word));
  }

  /**
   * @param edits the statement in the server's names; its conditions are changed
   * @param actual what the server calls the schema
   */
  public static StatementPlan of(PlanTask task, SourceEdits edits, String endpoint, String actual) {
    if (task.scan().kind() == StatementKind.SHOW) {
      replaceConditions(task.database().name(), edits, actual);
    }
    List<Piece> pieces = edits.copy(0, edits.source().bytes().length);
    NameMapping names = NameMapping.ofSchema(task.database().name());
    var plan = new RenamedAnswer(task.scan().kind(), names, endpoint, pieces, actual, List.of());
    ShardQuery written = plan.query(task.written());
    List<ResultColumn> columns =
        task.scan().kind() == StatementKind.SHOW
            ? task.catalog().describe(written)
            : MaintenancePlanner.columns(
                edits.source().tokens(), task.catalog().isMariaDb(endpoint));
    return new RenamedAnswer(plan.kind, names, endpoint, pieces, actual, columns);
  }

  /** Columns of SHOW that have the name in their own, or in their cells. */
  private static void replaceConditions(String logical, SourceEdits edits, String actual) {
    SqlTokens tokens = edits.source().tokens();
    int where = tokens.from(1).skip(token -> !tokens.isWord(token, "WHERE"));
    List<Integer> names = tokens.from(where).names(token -> !tokens.isPunctuation(token - 1, '.'));
    for (int token : names) {
      String name = tokens.name(token);
      String column = TableNames.quoted(name);
      if (name.equalsIgnoreCase("Tables_in_" + logical)) {
        replace(edits, token, TableNames.quoted("Tables_in_" + actual));
      } else if (name.equalsIgnoreCase("Db") || name.equalsIgnoreCase("Database")) {
        replace(
            edits,
            token,
            "(CASE %s WHEN %s THEN %s ELSE %s END)"
                .formatted(
                    column, TableNames.literal(actual), TableNames.literal(logical), column));
      }
    }
  }

  private static void replace(SourceEdits edits, int token, String text) {
    edits.replace(edits.start(token), edits.end(token), List.of(edits.text(text)));
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    PlanNode route = new PlanNode.Route(List.of(query(values)), List.of());
    return new BoundPlan.Merged(new PlanNode.Renamed(route, actual, names.schema(), columns));
  }

  private ShardQuery query(SlotValues values) {
    var rendering = new SqlRendering(values, NO_NAMES, 256);
    rendering.append(pieces, NO_NODES);
    return rendering.query(endpoint);
  }
}
