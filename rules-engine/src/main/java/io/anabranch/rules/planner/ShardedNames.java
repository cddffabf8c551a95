package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.sql.TableNames;
import java.util.List;

/** Actual table names as SQL, encoded once, per sharded table reference and node. */
final class ShardedNames {

  private final byte[][][] names;

  ShardedNames(List<NodeLayout> layouts, SourceText source) {
    names = new byte[layouts.size()][][];
    for (int table = 0; table < names.length; table++) {
      NodeLayout layout = layouts.get(table);
      names[table] = new byte[layout.size()][];
      for (int node = 0; node < layout.size(); node++) {
        names[table][node] = source.encode(TableNames.quotedIfNeeded(layout.node(node).table()));
      }
    }
  }

  byte[] name(int table, int node) {
    return names[table][node];
  }
}
