package io.anabranch.rules.planner.view;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.resolve.ViewSplitter;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.routing.key.Correspondence;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CREATE and ALTER VIEW of a name that the configuration lists as a sharded or broadcast table, as
 * ShardingSphere wants it: each node has a view over what lies beside it, and the name is read as
 * any of that kind.
 *
 * @param view how the statement names it
 * @param nodes where it is
 * @param table null: a broadcast one
 */
record ListedView(
    PlanTask task,
    SourceText source,
    TableMention view,
    List<DataNode> nodes,
    @Nullable ShardedTable table) {

  private static final String UNLISTED =
      "or take it out of the configuration: views over sharded tables need no entry there";

  /** Null if the configuration does not list the name so. */
  static @Nullable ListedView of(PlanTask task, SourceText source, TableMention view) {
    return switch (new TableDirectory(task).find(view.qualifier(), view.name())) {
      case TablePlace.Sharded sharded ->
          new ListedView(task, source, view, sharded.table().nodes(), sharded.table());
      case TablePlace.Broadcast broadcast ->
          new ListedView(task, source, view, broadcast.nodes(task), null);
      case TablePlace.Single ignored -> null;
      case TablePlace.Absent ignored -> null;
    };
  }

  /**
   * @param query token where its query starts
   */
  StatementPlan plan(int query) {
    SqlTokens tokens = source.tokens();
    boolean isNew = tokens.isWord(0, "CREATE") && !tokens.isWord(1, "OR");
    boolean isConditional = tokens.isWord(view.first() - 1, "EXISTS");
    if (isNew && !isConditional && task.catalog().table(nodes).isPresent()) {
      throw ErrorCatalogue.TABLE_EXISTS.refuse(view.name());
    }
    if (isConditional) {
      requireAllOrNone();
    }
    if (table != null) {
      refuseMoment(tokens, query);
    }
    TokenRange inner = tokens.between(query, behindQuery(tokens)).unwrapped();
    Substatement body =
        new Substatement.Builder(task, source).tokens(inner.first(), inner.behind()).build();
    Analysis analysis = new StatementReader().read(body.task());
    if (table == null) {
      requireEverywhere(analysis);
    }
    PlacedTable.Sharded leader = table == null ? null : leader(analysis);
    List<byte[]> queries = queries(analysis, body.task());
    if (table != null && leader != null) {
      requireKeys(table, leader, queries.getFirst());
    }
    var names = new HashMap<String, String>(analysis.mapping().tables());
    nodes.forEach(node -> names.put(node.table(), view.name()));
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        new NameMapping(task.database().name(), names),
        new BoundPlan.Merged(
            new PlanNode.Write(
                definitions(query, queries, optionFrom(tokens)),
                List.of(0),
                false,
                PlanNode.Verb.DEFINE,
                List.of())));
  }

  /** A node that has another view of that name would keep it. */
  private void requireAllOrNone() {
    long there =
        nodes.stream()
            .filter(node -> task.catalog().table(node.dataSource(), node.table()).isPresent())
            .count();
    if (there > 0 && there < nodes.size()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "CREATE VIEW IF NOT EXISTS of '" + view.name() + "', which some of its nodes have",
          "use CREATE OR REPLACE VIEW");
    }
  }

  /** Nothing in a query of the view says that it tells the time. */
  private void refuseMoment(SqlTokens tokens, int query) {
    SqlFunction moment =
        FunctionUses.first(
            tokens,
            query,
            tokens.size(),
            function -> function.is(Trait.MOMENT) || function.is(Trait.UNKNOWN));
    if (moment != null && nodes.stream().map(DataNode::dataSource).distinct().count() > 1) {
      throw refusal(
          "with " + moment.name() + "(), of which each data source would have its own moment,");
    }
  }

  private List<ShardQuery> definitions(int query, List<byte[]> queries, int option) {
    SqlTemplate head =
        new TableRewriting(source, task.database().name(), List.of(view)).template(0, query);
    var definitions = new ArrayList<ShardQuery>();
    for (int node = 0; node < nodes.size(); node++) {
      DataNode own = nodes.get(node);
      var sql = new SqlBuffer(source.bytes().length + 64);
      sql.append(head.aimedAt(own.dataSource(), List.of(own.table())).constant().sql());
      sql.append((byte) ' ');
      sql.append(queries.get(table == null ? 0 : node));
      sql.append((byte) ' ');
      sql.append(source.encode(source.text().substring(option)));
      definitions.add(ShardQuery.text(own.dataSource(), sql.toByteArray()));
    }
    return definitions;
  }

  /** Without WITH CHECK OPTION and semicolons. */
  private static int behindQuery(SqlTokens tokens) {
    int behind = tokens.behindStatement();
    if (tokens.isWord(behind - 1, "OPTION") && tokens.isWord(behind - 2, "CHECK")) {
      behind -= tokens.isWord(behind - 3, "WITH") ? 3 : 4;
    }
    return behind;
  }

  /** Character where WITH CHECK OPTION starts. */
  private int optionFrom(SqlTokens tokens) {
    return tokens.end(behindQuery(tokens) - 1);
  }

  private void requireEverywhere(Analysis analysis) {
    for (PlacedTable each : analysis.tables()) {
      if (!(each instanceof PlacedTable.Broadcast)) {
        throw refusal("over '" + each.ref().name() + "', which is not in all data sources,");
      }
    }
    String function = SessionWords.differentEverywhere(analysis.source().tokens());
    if (!function.isEmpty()) {
      throw refusal("with " + function);
    }
  }

  /** The table whose rows decide where those of the view are. */
  private PlacedTable.Sharded leader(Analysis analysis) {
    PlacedTable.Sharded leader = ViewSplitter.leader(analysis);
    if (leader == null) {
      throw refusal("of a query whose rows do not come from one node each");
    }
    for (PlacedTable.Sharded each : analysis.sharded()) {
      boolean isView =
          each.view() != null
              || task.catalog()
                  .table(each.table().nodes())
                  .filter(schema -> schema.view() != null)
                  .isPresent();
      if (isView) {
        throw refusal("over the view '" + each.ref().name() + "'");
      }
    }
    return leader;
  }

  /** Conditions on what it calls a sharding column must find the rows. */
  private void requireKeys(ShardedTable listed, PlacedTable.Sharded leader, byte[] query) {
    String difference = Correspondence.difference(listed, leader.table());
    if (difference != null) {
      throw refusal("over '" + leader.ref().name() + "' (" + difference + ")");
    }
    List<ResultColumn> shown =
        task.catalog().describe(ShardQuery.text(nodes.getFirst().dataSource(), query));
    List<String> names = columnNames();
    List<String> own = placing(listed);
    List<String> others = placing(leader.table());
    for (int column = 0; column < shown.size(); column++) {
      ResultColumn from = shown.get(column);
      String name = column < names.size() ? names.get(column) : from.name();
      for (int key = 0; key < own.size(); key++) {
        boolean isKey =
            from.table().equalsIgnoreCase(leader.ref().alias())
                && from.orgName().equalsIgnoreCase(others.get(key));
        if (own.get(key).equalsIgnoreCase(name) && !isKey) {
          throw refusal(
              "whose sharding column '" + name + "' is not that of '" + leader.ref().name() + "'");
        }
      }
    }
  }

  /** Sharding columns, by their places in the strategies. */
  private static List<String> placing(ShardedTable table) {
    var columns = new ArrayList<String>();
    for (ShardingStrategy strategy : List.of(table.databaseStrategy(), table.tableStrategy())) {
      switch (strategy) {
        case ShardingStrategy.Standard one -> columns.add(one.column());
        case ShardingStrategy.Complex several -> columns.addAll(several.columns());
        case ShardingStrategy.Hint _, ShardingStrategy.None _ -> {}
      }
    }
    return columns;
  }

  /** Those in parentheses behind the name. */
  private List<String> columnNames() {
    SqlTokens tokens = source.tokens();
    int open = view.behind();
    return tokens.isPunctuation(open, '(')
        ? tokens.between(open + 1, tokens.closing(open)).parts().stream()
            .map(part -> tokens.name(part.first()))
            .toList()
        : List.of();
  }

  /** By node; of a broadcast view the same for all. */
  private List<byte[]> queries(Analysis analysis, PlanTask own) {
    List<NodeLayout> layouts = Placement.of(analysis).layouts();
    var names = analysis.names(layouts);
    SourceText text = analysis.source();
    var values = own.written();
    List<Piece> pieces = analysis.edits().copy(0, text.bytes().length);
    int count = layouts.isEmpty() ? 1 : layouts.getFirst().size();
    var queries = new ArrayList<byte[]>();
    for (int node = 0; node < count; node++) {
      int[] all = new int[layouts.size()];
      Arrays.fill(all, node);
      var rendering = new SqlRendering(values, names, text.bytes().length + 64);
      rendering.append(pieces, all);
      queries.add(rendering.query("").sql());
    }
    return queries;
  }

  private RefusedException refusal(String what) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a view '"
            + view.name()
            + "', which the configuration of "
            + task.database().name()
            + " lists as a "
            + (table == null ? "broadcast" : "sharded")
            + " table, "
            + what,
        (table == null
                ? "make it over broadcast tables alone, "
                : "make it of columns, conditions and joins of tables that are bound to it, ")
            + UNLISTED);
  }

  // ---------------------------------------------------------------- DROP

  /**
   * DROP VIEW of several names, each dropped wherever it is.
   *
   * @param views all that the statement names
   */
  static StatementPlan drop(PlanTask task, SourceText source, List<TableMention> views) {
    SqlTemplate template = TableRewriting.ofList(source, views, 1);
    var directory = new TableDirectory(task);
    var targets = new ArrayList<AimedText>();
    var counted = new ArrayList<Integer>();
    Map<String, String> names = new HashMap<>();
    for (TableMention view : views) {
      TablePlace place = directory.find(view.qualifier(), view.name());
      counted.add(targets.size());
      targets.addAll(place.aim(task, template));
      if (place instanceof TablePlace.Sharded sharded) {
        sharded.table().nodes().forEach(node -> names.put(node.table(), sharded.table().name()));
      }
    }
    return new TemplatePlan(
        task.scan().kind(),
        new NameMapping(task.database().name(), names),
        targets,
        counted,
        false,
        views.size() == 1 ? PlanNode.Verb.DEFINE : PlanNode.Verb.UPDATE,
        null);
  }
}
