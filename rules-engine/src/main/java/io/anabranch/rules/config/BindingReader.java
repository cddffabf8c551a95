package io.anabranch.rules.config;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code bindingTables}: groups of tables whose nodes correspond by their position. That they do is
 * checked here, so that a join of them may run in each shard by itself.
 */
final class BindingReader {

  private static final int NO_GROUP = -1;
  private static final int SAMPLES = 64;

  private final Map<String, ShardedTable> tables;
  private final Set<String> names;

  /**
   * @param tables by lower-case name
   * @param names of all tables, in lower case: what is wrong with the others was reported
   */
  BindingReader(Map<String, ShardedTable> tables, Set<String> names) {
    this.tables = tables;
    this.names = names;
  }

  /** All tables, those of a group with its number. */
  Map<String, ShardedTable> read(List<Value> groups) {
    Map<String, ShardedTable> bound = new LinkedHashMap<>(tables);
    for (int group = 0; group < groups.size(); group++) {
      readGroup(groups.get(group), group, bound);
    }
    return bound;
  }

  private void readGroup(Value value, int group, Map<String, ShardedTable> bound) {
    ShardedTable first = null;
    for (String name : Names.list(value)) {
      String key = name.toLowerCase(Locale.ROOT);
      ShardedTable table = bound.get(key);
      if (table == null) {
        if (!names.contains(key)) {
          value.error(
              "there is no sharded table `" + name + "`", NearestName.suggestion(name, names));
        }
        continue;
      }
      if (table.bindingGroup() != NO_GROUP) {
        value.error("the table `" + name + "` is in another binding group already", null);
        continue;
      }
      if (first == null) {
        first = table;
      } else {
        check(value, first, table);
      }
      bound.put(
          key,
          new ShardedTable(
              table.name(),
              table.nodes(),
              table.databaseStrategy(),
              table.tableStrategy(),
              table.keyGeneration(),
              group,
              table.audit()));
    }
  }

  private static void check(Value value, ShardedTable first, ShardedTable other) {
    String difference = difference(first, other);
    if (difference != null) {
      value.error(
          "`" + first.name() + "` and `" + other.name() + "` cannot be bound: " + difference,
          "bound tables are sharded alike, by the same value to the same part");
    }
  }

  private static @Nullable String difference(ShardedTable first, ShardedTable other) {
    if (first.nodes().size() != other.nodes().size()) {
      return "they have " + first.nodes().size() + " and " + other.nodes().size() + " nodes";
    }
    for (int i = 0; i < first.nodes().size(); i++) {
      DataNode a = first.nodes().get(i);
      DataNode b = other.nodes().get(i);
      if (!a.dataSource().equals(b.dataSource()) || !digits(a).equals(digits(b))) {
        return "the nodes " + text(a) + " and " + text(b) + " do not correspond";
      }
    }
    if (!isSame(
        first.databaseStrategy(), other.databaseStrategy(), sources(first), sources(other))) {
      return "their database strategies differ";
    }
    if (!isSame(first.tableStrategy(), other.tableStrategy(), names(first), names(other))) {
      return "their table strategies differ";
    }
    return null;
  }

  private static boolean isSame(
      ShardingStrategy first, ShardingStrategy other, TargetSet targets, TargetSet otherTargets) {
    if (first instanceof ShardingStrategy.Standard a
        && other instanceof ShardingStrategy.Standard b) {
      return a.algorithm().equals(b.algorithm())
          || isSame(a.algorithm(), b.algorithm(), targets, otherTargets);
    }
    if (first instanceof ShardingStrategy.Complex a
        && other instanceof ShardingStrategy.Complex b
        && a.columns().size() == b.columns().size()) {
      return a.algorithm().equals(b.algorithm()) || isSame(a, b, targets, otherTargets);
    }
    return first.equals(other);
  }

  /** Whether they give targets of the same position for values of all kinds. */
  private static boolean isSame(
      ShardingAlgorithm first, ShardingAlgorithm other, TargetSet targets, TargetSet otherTargets) {
    LocalDate date = LocalDate.of(2000, 1, 1);
    for (int i = 0; i < SAMPLES; i++) {
      long number = i < 32 ? i : (i * 0x9E3779B97F4A7C15L) >>> (1 + i % 40);
      LocalDate day = date.plusDays(i * 173L);
      SqlValue[] samples = {
        new SqlValue.Int(number),
        new SqlValue.Text(String.format(Locale.ROOT, "%020d", number)),
        new SqlValue.Date(day),
        new SqlValue.DateTime(day.atTime(i % 24, i % 60))
      };
      for (SqlValue sample : samples) {
        if (position(first, targets, sample) != position(other, otherTargets, sample)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Columns correspond by their position. */
  private static boolean isSame(
      ShardingStrategy.Complex first,
      ShardingStrategy.Complex other,
      TargetSet targets,
      TargetSet otherTargets) {
    for (int i = 0; i < SAMPLES; i++) {
      var values = new HashMap<String, List<SqlValue>>();
      var otherValues = new HashMap<String, List<SqlValue>>();
      for (int column = 0; column < first.columns().size(); column++) {
        var value =
            List.<SqlValue>of(new SqlValue.Int((i * 0x9E3779B97F4A7C15L) >>> (40 + column)));
        values.put(first.columns().get(column).toLowerCase(Locale.ROOT), value);
        otherValues.put(other.columns().get(column).toLowerCase(Locale.ROOT), value);
      }
      if (!position(first, targets, values).equals(position(other, otherTargets, otherValues))) {
        return false;
      }
    }
    return true;
  }

  private static BitSet position(
      ShardingStrategy.Complex strategy, TargetSet targets, Map<String, List<SqlValue>> values) {
    try {
      return strategy.algorithm().targets(targets, values, Map.of());
    } catch (RefusedException e) {
      // both algorithms must refuse them then
      return new BitSet();
    }
  }

  private static int position(ShardingAlgorithm algorithm, TargetSet targets, SqlValue value) {
    try {
      return algorithm.precise(targets, value);
    } catch (RefusedException e) {
      // both algorithms must refuse it then
      return Integer.MIN_VALUE;
    }
  }

  private static TargetSet sources(ShardedTable table) {
    return new TargetSet(table.nodes().stream().map(DataNode::dataSource).distinct().toList());
  }

  private static TargetSet names(ShardedTable table) {
    return new TargetSet(table.nodes().stream().map(DataNode::table).distinct().toList());
  }

  private static String digits(DataNode node) {
    String name = node.table();
    int from = name.length();
    while (from > 0 && Character.isDigit(name.charAt(from - 1))) {
      from--;
    }
    return name.substring(from);
  }

  private static String text(DataNode node) {
    return node.dataSource() + "." + node.table();
  }
}
