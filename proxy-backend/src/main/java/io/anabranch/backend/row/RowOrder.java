package io.anabranch.backend.row;

import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/**
 * Compares rows that databases have sorted by several keys, the first that differs decides. Without
 * keys all are equal.
 */
public final class RowOrder {

  private final KeyOrder[] keys;

  public RowOrder(List<SortKey> keys, List<ResultColumn> columns, RowFormat format) {
    this.keys = new KeyOrder[keys.size()];
    for (int i = 0; i < this.keys.length; i++) {
      this.keys[i] = new KeyOrder(keys.get(i), columns, format, true);
    }
  }

  public int compare(RowReader a, RowReader b) {
    for (KeyOrder key : keys) {
      int order = key.compare(a, b);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
