package io.anabranch.backend.stage;

import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.StagedTable.Reduction;
import io.anabranch.rules.plan.slot.SqlBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the copies that a statement has made: the rows of later ones are asked for by them where
 * they are few. Used by one thread.
 */
public final class StageKeys {

  private static final int MOST_KEYS = 1000;
  private static final byte[] MARK = ascii(StagedTable.KEYS);
  private static final byte[] ALL = ascii("TRUE");
  private static final byte[] NONE = ascii("FALSE");

  private final Map<String, List<Column>> byTable = new HashMap<>();

  /** The different values of one column of a copy. */
  static final class Column {

    private final int position;
    private final Set<String> values = new LinkedHashSet<>();
    private boolean areMany;

    private Column(int position) {
      this.position = position;
    }

    int position() {
      return position;
    }

    /** Digits. */
    void add(byte[] source, int offset, int length) {
      if (!areMany) {
        values.add(new String(source, offset, length, StandardCharsets.US_ASCII));
        areMany = values.size() > MOST_KEYS;
      }
    }
  }

  /**
   * @param tables all that the statement copies, in their order
   */
  public StageKeys(List<StagedTable> tables) {
    for (StagedTable table : tables) {
      Reduction reduction = table.reduction();
      if (reduction != null) {
        List<Column> columns = byTable.computeIfAbsent(reduction.of(), name -> new ArrayList<>());
        if (find(columns, reduction.column()) == null) {
          columns.add(new Column(reduction.column()));
        }
      }
    }
  }

  private static @Nullable Column find(List<Column> columns, int position) {
    for (Column column : columns) {
      if (column.position == position) {
        return column;
      }
    }
    return null;
  }

  /** Columns of a copy whose values others are asked for by. */
  List<Column> of(StagedTable table) {
    return byTable.getOrDefault(table.name(), List.of());
  }

  /** What reads the rows of a copy; those before it have been made. */
  public PlanNode rows(StagedTable table) {
    Reduction reduction = table.reduction();
    if (reduction == null || !(table.rows() instanceof PlanNode.Route route)) {
      return table.rows();
    }
    byte[] condition = condition(reduction);
    var queries = new ArrayList<ShardQuery>();
    for (ShardQuery query : route.queries()) {
      queries.add(query.withSql(replaced(query.sql(), reduction.condition(), condition)));
    }
    return new PlanNode.Route(queries, route.columns(), route.alike(), route.names());
  }

  private byte[] condition(Reduction reduction) {
    Column keys = find(byTable.getOrDefault(reduction.of(), List.of()), reduction.column());
    if (keys == null || keys.areMany) {
      return ALL;
    }
    return keys.values.isEmpty()
        ? NONE
        : replaced(reduction.condition(), MARK, ascii(String.join(", ", keys.values)));
  }

  private static byte[] replaced(byte[] text, byte[] what, byte[] by) {
    var out = new SqlBuffer(text.length + by.length);
    int done = 0;
    for (int at = 0; at + what.length <= text.length; at++) {
      if (isAt(text, at, what)) {
        out.append(text, done, at - done).append(by);
        done = at + what.length;
        at = done - 1;
      }
    }
    return out.append(text, done, text.length - done).toByteArray();
  }

  private static boolean isAt(byte[] text, int at, byte[] what) {
    for (int i = 0; i < what.length; i++) {
      if (text[at + i] != what[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
