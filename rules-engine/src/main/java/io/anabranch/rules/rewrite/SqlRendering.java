package io.anabranch.rules.rewrite;

import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.routing.KeyList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders pieces into one shard query. Used once, on one thread. */
public final class SqlRendering {

  private static final int[] NONE = {};
  private static final byte[] SEPARATOR = {',', ' '};

  private final SlotValues values;
  private final ShardedNames names;
  private final SqlBuffer out;
  private int[] parameters = NONE;
  private int parameterCount;

  /** Of lists that have been rendered; null: none. */
  private @Nullable Map<KeyList, @Nullable BitSet[]> homes;

  public SqlRendering(SlotValues values, ShardedNames names, int capacity) {
    this.values = values;
    this.names = names;
    this.out = new SqlBuffer(capacity);
  }

  /**
   * @param nodes node of each sharded table reference
   */
  public void append(List<Piece> pieces, int[] nodes) {
    for (int i = 0; i < pieces.size(); i++) {
      switch (pieces.get(i)) {
        case Piece.Text text -> out.append(text.bytes());
        case Piece.Slot slot -> slot(slot.slot());
        case Piece.Table table -> out.append(names.name(table.table(), nodes[table.table()]));
        case Piece.Keys keys -> keys(keys.list(), nodes[keys.table()]);
      }
    }
  }

  /** The values whose rows may be in a node; all of them if there is none. */
  private void keys(KeyList list, int node) {
    Map<KeyList, @Nullable BitSet[]> known = homes == null ? new HashMap<>() : homes;
    homes = known;
    @Nullable BitSet[] own = known.computeIfAbsent(list, asked -> asked.homes(values));
    boolean all = true;
    for (BitSet home : own) {
      all &= home != null && !home.get(node);
    }
    boolean first = true;
    for (int i = 0; i < own.length; i++) {
      BitSet home = own[i];
      if (all || home == null || home.get(node)) {
        if (!first) {
          out.append(SEPARATOR);
        }
        slot(list.slot(i));
        first = false;
      }
    }
  }

  public void append(byte[] text) {
    out.append(text);
  }

  public int length() {
    return out.length();
  }

  private void slot(int slot) {
    values.appendTo(slot, out);
    if (values.isParameter(slot)) {
      if (parameterCount == parameters.length) {
        parameters = Arrays.copyOf(parameters, Math.max(4, parameterCount * 2));
      }
      parameters[parameterCount++] = values.parameterIndex(slot);
    }
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException as {@link SlotValues#made}
   */
  public ShardQuery query(String dataSource) {
    values.made(out.length());
    return new ShardQuery(
        dataSource,
        out.toByteArray(),
        parameterCount == parameters.length
            ? parameters
            : Arrays.copyOf(parameters, parameterCount));
  }
}
