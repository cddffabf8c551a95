package io.anabranch.rules.planner.program;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.syntax.TableMention;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether what a trigger writes to a bound table lies beside its own row: all sharding columns have
 * the row's values.
 *
 * @param row NEW or OLD
 * @param columns of the bound table to those of the trigger's own
 */
public record TriggerKeys(SqlTokens tokens, String row, Map<String, String> columns) {

  /** A name that no statement can have. */
  private static final String NOTHING = "\u0000";

  public static TriggerKeys of(SqlTokens tokens, String row, ShardedTable own, ShardedTable other) {
    var columns = new LinkedHashMap<String, String>();
    pair(own.databaseStrategy(), other.databaseStrategy(), columns);
    pair(own.tableStrategy(), other.tableStrategy(), columns);
    return new TriggerKeys(tokens, row, columns);
  }

  private static void pair(
      ShardingStrategy own, ShardingStrategy other, Map<String, String> columns) {
    if (own instanceof ShardingStrategy.Standard one
        && other instanceof ShardingStrategy.Standard two) {
      put(two.column(), one.column(), columns);
    } else if (own instanceof ShardingStrategy.Complex one
        && other instanceof ShardingStrategy.Complex two) {
      for (int i = 0; i < two.columns().size(); i++) {
        put(two.columns().get(i), one.columns().get(i), columns);
      }
    } else if (!(own instanceof ShardingStrategy.None)
        || !(other instanceof ShardingStrategy.None)) {
      columns.put(NOTHING, NOTHING);
    }
  }

  /** A column that stands for two different ones cannot be tied. */
  private static void put(String other, String own, Map<String, String> columns) {
    columns.merge(other, own, (a, b) -> a.equalsIgnoreCase(b) ? a : NOTHING);
  }

  /** INSERT INTO t (…) VALUES (…), of one row. */
  boolean insertTies(TableMention table, int behind) {
    int names = table.behind();
    if (columns.isEmpty() || !tokens.isPunctuation(names, '(')) {
      return false;
    }
    int values = tokens.closing(names) + 2;
    boolean isRow =
        (tokens.isWord(values - 1, "VALUES") || tokens.isWord(values - 1, "VALUE"))
            && tokens.isPunctuation(values, '(');
    if (!isRow || tokens.closing(values) >= behind) {
      return false;
    }
    int end = tokens.closing(values);
    List<Integer> listed = items(names);
    List<Integer> given = items(values);
    for (Map.Entry<String, String> key : columns.entrySet()) {
      boolean found = false;
      for (int i = 0; i < Math.min(listed.size(), given.size()); i++) {
        int to = i + 1 < given.size() ? given.get(i + 1) - 1 : end;
        found |=
            tokens.name(listed.get(i)).equalsIgnoreCase(key.getKey())
                && isRowColumn(given.get(i), to, key.getValue());
      }
      if (!found) {
        return false;
      }
    }
    return !tokens.isPunctuation(end + 1, ',') && !updatesKeys(end, behind);
  }

  /** The first tokens of the items of a list in parentheses. */
  private List<Integer> items(int open) {
    var items = new ArrayList<Integer>();
    items.add(open + 1);
    for (int i = open + 1; i < tokens.closing(open); i++) {
      if (tokens.isPunctuation(i, ',') && tokens.depth(i) == tokens.depth(open + 1)) {
        items.add(i + 1);
      }
    }
    return items;
  }

  /** UPDATE and DELETE with a condition {@code key = NEW.key AND …}. */
  boolean conditionTies(TableMention table, int behind) {
    int where = table.behind();
    while (where < behind && !(tokens.isWord(where, "WHERE") && isOutside(where, table))) {
      where++;
    }
    if (columns.isEmpty() || where == behind || updatesKeys(table.behind(), where)) {
      return false;
    }
    if (tokens
        .between(where, behind)
        .has(
            i ->
                isOutside(i, table)
                    && ((tokens.isWord(i, "OR") || tokens.isWord(i, "XOR"))
                        || tokens.isOperator(i, "||")))) {
      return false;
    }
    for (Map.Entry<String, String> key : columns.entrySet()) {
      boolean found = false;
      for (int i = where; i < behind; i++) {
        boolean starts = tokens.isWord(i, "WHERE") || tokens.isWord(i, "AND");
        found |= starts && isOutside(i, table) && isEquality(i + 1, behind, table, key);
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private boolean isOutside(int token, TableMention table) {
    return tokens.depth(token) == tokens.depth(table.first());
  }

  private boolean isEquality(
      int from, int behind, TableMention table, Map.Entry<String, String> key) {
    int at = from;
    if (tokens.isName(at)
        && tokens.isPunctuation(at + 1, '.')
        && tokens.name(at).equalsIgnoreCase(table.name())) {
      at += 2;
    }
    int end = at + 2;
    while (end < behind && !tokens.isWord(end, "AND")) {
      end++;
    }
    return tokens.isName(at)
        && tokens.name(at).equalsIgnoreCase(key.getKey())
        && tokens.isOperator(at + 1, "=")
        && isRowColumn(at + 2, end, key.getValue());
  }

  private boolean isRowColumn(int from, int to, String column) {
    return to - from == 3
        && tokens.isWord(from, row)
        && tokens.isPunctuation(from + 1, '.')
        && tokens.isName(from + 2)
        && tokens.name(from + 2).equalsIgnoreCase(column);
  }

  private boolean updatesKeys(int from, int to) {
    for (int i = from; i < to; i++) {
      String name = tokens.isName(i) ? tokens.name(i) : "";
      if (tokens.isOperator(i + 1, "=")
          && columns.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
        return true;
      }
    }
    return false;
  }
}
