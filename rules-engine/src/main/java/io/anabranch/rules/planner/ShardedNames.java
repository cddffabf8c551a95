package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.routing.NodeLayout;
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
        names[table][node] = source.encode(quoted(layout.node(node).table()));
      }
    }
  }

  byte[] name(int table, int node) {
    return names[table][node];
  }

  /** The name, in backquotes where it needs them. */
  static String quoted(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean digit = c >= '0' && c <= '9';
      if (!letter && !(digit && i > 0)) {
        return "`" + name.replace("`", "``") + "`";
      }
    }
    return name;
  }
}
