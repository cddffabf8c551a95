package io.anabranch.rules.routing.key;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether two sharded tables place the same value in the part of the same position: such tables can
 * be bound, and one can take the other's parts.
 */
public final class Correspondence {

  private static final int SAMPLES = 64;

  private Correspondence() {}

  /**
   * Columns correspond by their position, whatever their names.
   *
   * @return what differs, for people; null if nothing does
   */
  public static @Nullable String difference(ShardedTable first, ShardedTable other) {
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
    try {
      return isAlike(first, other, targets, otherTargets);
    } catch (RefusedException e) {
      // a plug-in that fails for one value tells nothing of others
      return false;
    }
  }

  private static boolean isAlike(
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
      requireSound(e);
      // both algorithms must refuse them then
      return new BitSet();
    }
  }

  private static int position(ShardingAlgorithm algorithm, TargetSet targets, SqlValue value) {
    try {
      return algorithm.precise(targets, value);
    } catch (RefusedException e) {
      requireSound(e);
      // both algorithms must refuse it then
      return Integer.MIN_VALUE;
    }
  }

  private static void requireSound(RefusedException refusal) {
    if (refusal.is(ErrorCatalogue.PLUG_IN_FAILED)) {
      throw refusal;
    }
  }

  private static TargetSet sources(ShardedTable table) {
    return new TargetSet(table.strategySources());
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
