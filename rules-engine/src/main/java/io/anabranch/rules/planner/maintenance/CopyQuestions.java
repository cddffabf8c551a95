package io.anabranch.rules.planner.maintenance;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.TableProbe;
import io.anabranch.rules.plan.TableProbe.Finding;
import io.anabranch.rules.plan.TableProbe.Reading;
import io.anabranch.rules.planner.query.OwnQuery;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the copies of a broadcast table have the same rows. Each database adds up a digest of its
 * rows first, which does not depend on their order; only where sums differ are rows compared.
 */
final class CopyQuestions {

  private final PlanTask task;
  private final String shown;
  private final String table;
  private final List<DataNode> nodes;
  private final TableDefinition definition;

  /**
   * @param shown name of the table in the answer
   * @param nodes those that have a copy
   */
  CopyQuestions(
      PlanTask task, String shown, String table, List<DataNode> nodes, TableDefinition definition) {
    this.task = task;
    this.shown = shown;
    this.table = table;
    this.nodes = nodes;
    this.definition = definition;
  }

  TableProbe copies() {
    String digest = digest();
    String sql =
        "SELECT COUNT(*), CAST(COALESCE(SUM(CAST(CONV(SUBSTR(h, 1, 15), 16, 10) AS UNSIGNED)), 0)"
            + " AS CHAR), CAST(COALESCE(SUM(CAST(CONV(SUBSTR(h, 16, 15), 16, 10) AS UNSIGNED)), 0)"
            + " AS CHAR) FROM (SELECT "
            + digest
            + " AS h FROM "
            + TableNames.quoted(table)
            + ") d";
    List<ShardQuery> queries = new ArrayList<>();
    for (DataNode node : nodes) {
      String own = sql.replaceFirst("^SELECT", "SELECT " + nodes.indexOf(node) + ",");
      queries.add(ShardQuery.text(node.dataSource(), own.getBytes(task.scope().charset())));
    }
    return new TableProbe(shown, new PlanNode.Route(queries, List.of()), () -> new Sums(digest));
  }

  /** Bytes of each column, hashed apart: long values stay below what one packet may hold. */
  private String digest() {
    List<Column> columns =
        task.catalog()
            .table(nodes.getFirst().dataSource(), nodes.getFirst().table())
            .map(TableSchema::columns)
            .orElse(List.of());
    return columns.stream()
        .filter(column -> !column.generated())
        .map(column -> "IFNULL(SHA2(" + bytes(column) + ", 256), '-')")
        .collect(Collectors.joining(", ", "SHA2(CONCAT('', ", "), 256)"));
  }

  /** A text that tells values apart: FLOAT shows six digits, TIMESTAMP a local time. */
  private static String bytes(Column column) {
    String name = TableNames.quoted(column.name());
    return switch (column.type().toLowerCase(Locale.ROOT).split("[ (]", 2)[0]) {
      case "float" -> name + " + 0e0";
      case "timestamp" -> "UNIX_TIMESTAMP(" + name + ")";
      case "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection",
          "geomcollection",
          "vector" ->
          "HEX(" + name + ")";
      default -> name;
    };
  }

  /** One row per copy. */
  private final class Sums implements Reading {

    private final String digest;
    private final Map<Integer, String> sums = new HashMap<>();
    private final Map<Integer, String> counts = new HashMap<>();

    Sums(String digest) {
      this.digest = digest;
    }

    @Override
    public void row(IntFunction<SqlValue> values) {
      int node = Integer.parseInt(ShardQuestions.text(values.apply(0)));
      String count = ShardQuestions.text(values.apply(1));
      counts.put(node, count);
      sums.put(
          node,
          count
              + " "
              + ShardQuestions.text(values.apply(2))
              + " "
              + ShardQuestions.text(values.apply(3)));
    }

    /** The sums that most copies have; of the first one where none is more common. */
    private String model() {
      String best = sums.getOrDefault(0, "");
      for (String each : sums.values()) {
        best = frequency(each) > frequency(best) ? each : best;
      }
      return best;
    }

    private long frequency(String sum) {
      return sums.values().stream().filter(sum::equals).count();
    }

    @Override
    public List<Finding> findings() {
      String model = model();
      var findings = new ArrayList<Finding>();
      int first = 0;
      while (!model.equals(sums.get(first))) {
        first++;
      }
      for (int node = 0; node < nodes.size(); node++) {
        if (!model.equals(sums.get(node))) {
          findings.add(
              new Finding(
                  "error",
                  "copies: "
                      + AcrossShards.called(nodes.get(node))
                      + " ("
                      + counts.get(node)
                      + " rows) has other rows than "
                      + AcrossShards.called(nodes.get(first))
                      + " ("
                      + counts.get(first)
                      + " rows); repair: write the rows that differ through the proxy (REPLACE,"
                      + " DELETE), which reaches all copies"));
        }
      }
      return findings;
    }

    @Override
    public @Nullable TableProbe next() {
      return findings().isEmpty() ? null : different(digest);
    }
  }

  /** Rows that not all copies have, by their primary keys; null: it has none. */
  private @Nullable TableProbe different(String digest) {
    List<String> key = List.of();
    for (TableKey each : definition.keys()) {
      if (each.isPrimary()) {
        key = each.parts().stream().map(TableKey.Part::expression).toList();
      }
    }
    if (key.isEmpty()) {
      return null;
    }
    String list = String.join(", ", key);
    String sql =
        "SELECT "
            + list
            + ", "
            + digest
            + " AS h, COUNT(*) FROM "
            + TableNames.quoted(table)
            + " GROUP BY "
            + list
            + ", h HAVING COUNT(*) < "
            + nodes.size();
    try {
      PlanNode rows = new OwnQuery(task, table, nodes).rows(sql);
      List<String> names = key;
      return rows == null ? null : new TableProbe(shown, rows, () -> new Rows(names));
    } catch (RefusedException | DescribeException refusal) {
      return null;
    }
  }

  private static final class Rows implements Reading {

    private final List<String> key;
    private final List<String> examples = new ArrayList<>();
    private long count;

    Rows(List<String> key) {
      this.key = key;
    }

    @Override
    public void row(IntFunction<SqlValue> values) {
      count++;
      var condition = new ArrayList<String>();
      for (int i = 0; i < key.size(); i++) {
        condition.add(key.get(i) + " = " + ShardQuestions.text(values.apply(i)));
      }
      String row = String.join(" AND ", condition);
      if (examples.size() < ShardQuestions.EXAMPLES && !examples.contains(row)) {
        examples.add(row);
      }
    }

    @Override
    public List<Finding> findings() {
      return count == 0
          ? List.of()
          : List.of(
              new Finding(
                  "note",
                  count
                      + " version(s) of rows are not in all copies, such as "
                      + String.join("; ", examples)));
    }
  }
}
