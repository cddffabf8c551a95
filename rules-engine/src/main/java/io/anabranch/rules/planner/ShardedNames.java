package io.anabranch.rules.planner;

import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.sql.TableNames;
import java.util.List;

/**
 * What stands for a sharded table reference in each node, as SQL, encoded once: the actual table's
 * name, or the query of a view.
 */
final class ShardedNames {

  private final byte[][][] names;

  ShardedNames(List<NodeLayout> layouts, Analysis analysis) {
    names = new byte[layouts.size()][][];
    for (int table = 0; table < names.length; table++) {
      NodeLayout layout = layouts.get(table);
      SplitView view = analysis.sharded().get(table).view();
      names[table] = new byte[layout.size()][];
      for (int node = 0; node < layout.size(); node++) {
        String name =
            view == null
                ? TableNames.quotedIfNeeded(layout.node(node).table())
                : view.queries().get(node);
        names[table][node] = analysis.source().encode(name);
      }
    }
  }

  private ShardedNames() {
    names = new byte[0][][];
  }

  /** Of a statement without sharded tables. */
  static ShardedNames none() {
    return new ShardedNames();
  }

  byte[] name(int table, int node) {
    return names[table][node];
  }
}
