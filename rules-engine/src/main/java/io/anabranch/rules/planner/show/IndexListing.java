package io.anabranch.rules.planner.show;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.metadata.CatalogueRows;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ShownCondition;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * SHOW INDEX of a sharded table: the indexes of one node, with cardinalities of all of them, out of
 * {@code information_schema.STATISTICS}.
 */
final class IndexListing {

  private static final String CARDINALITY = "CARDINALITY";

  /** Columns of {@code STATISTICS} by the names that SHOW gives them. */
  private static final List<String> COLUMNS =
      List.of(
          "NON_UNIQUE Non_unique",
          "INDEX_NAME Key_name",
          "SEQ_IN_INDEX Seq_in_index",
          "COLUMN_NAME Column_name",
          "COLLATION Collation",
          "CARDINALITY Cardinality",
          "SUB_PART Sub_part",
          "PACKED Packed",
          "NULLABLE Null",
          "INDEX_TYPE Index_type",
          "COMMENT Comment",
          "INDEX_COMMENT Index_comment");

  /** MariaDB has the first, MySQL the others. */
  private static final List<String> MORE =
      List.of("IGNORED Ignored", "IS_VISIBLE Visible", "EXPRESSION Expression");

  private final PlanTask task;
  private final SourceText source;
  private final ShardedTable table;
  private final int condition;

  /**
   * @param condition token of WHERE; behind the last if there is none
   */
  IndexListing(PlanTask task, SourceText source, ShardedTable table, int condition) {
    this.task = task;
    this.source = source;
    this.table = table;
    this.condition = condition;
  }

  StatementPlan plan() {
    DataNode node = CatalogueTable.shownNode(task.database(), table);
    String endpoint = node.dataSource();
    Set<String> existing =
        task
            .catalog()
            .describe(
                ShardQuery.text(
                    endpoint, source.encode("SELECT * FROM information_schema.STATISTICS")))
            .stream()
            .map(ResultColumn::name)
            .map(name -> name.toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    var rows = new CatalogueRows(task, "STATISTICS");
    rows.read(existing);
    ShardQuery query = ShardQuery.text(endpoint, source.encode(sql(node, rows, existing)));
    return FixedPlan.of(
        task,
        Access.WRITE,
        NameMapping.ofSchema(task.database().name()),
        new BoundPlan.Single(query));
  }

  /** The keys as the server lists them: of MySQL no column of the catalogue tells. */
  private List<String> order(DataNode node) {
    return task
        .catalog()
        .rows(node.dataSource(), "SHOW INDEX FROM " + TableNames.quoted(node.table()))
        .stream()
        .map(row -> row.get(2))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private String sql(DataNode node, CatalogueRows rows, Set<String> existing) {
    var all = new ArrayList<>(COLUMNS);
    for (String more : MORE) {
      if (existing.contains(more.substring(0, more.indexOf(' ')))) {
        all.add(more);
      }
    }
    var sql = new StringBuilder("SELECT * FROM (SELECT ");
    sql.append(TableNames.literal(table.name())).append(" AS `Table`");
    for (String column : all) {
      String name = column.substring(0, column.indexOf(' '));
      boolean isCounted = name.equals(CARDINALITY);
      sql.append(", ")
          .append(isCounted ? rows.cell(name, Map.of(node.table(), table.name()), false) : name)
          .append(" AS ")
          .append(TableNames.quoted(column.substring(name.length() + 1)));
    }
    sql.append(" FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()")
        .append(" AND TABLE_NAME = ")
        .append(TableNames.literal(node.table()))
        .append(") AS listing");
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(condition, "WHERE")) {
      sql.append(ShownCondition.text(source, condition));
    }
    List<String> order = order(node);
    if (order.size() > 1) {
      sql.append(" ORDER BY FIELD(listing.Key_name");
      order.forEach(key -> sql.append(", ").append(TableNames.literal(key)));
      sql.append("), listing.Seq_in_index");
    }
    return sql.toString();
  }
}
