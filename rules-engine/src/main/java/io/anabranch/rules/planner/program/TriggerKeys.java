package io.anabranch.rules.planner.program;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.syntax.TableMention;
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
    List<Span> listed = tokens.between(names + 1, tokens.closing(names)).parts();
    List<Span> given = tokens.between(values + 1, end).parts();
    for (Map.Entry<String, String> key : columns.entrySet()) {
      boolean found = false;
      for (int i = 0; i < Math.min(listed.size(), given.size()); i++) {
        found |=
            tokens.name(listed.get(i).first()).equalsIgnoreCase(key.getKey())
                && isRowColumn(given.get(i), key.getValue());
      }
      if (!found) {
        return false;
      }
    }
    return !tokens.isPunctuation(end + 1, ',') && !updatesKeys(end, behind);
  }

  /** UPDATE and DELETE with a condition {@code key = NEW.key AND …}. */
  boolean conditionTies(TableMention table, int behind) {
    int where =
        tokens
            .between(table.behind(), behind)
            .skip(i -> !(tokens.isWord(i, "WHERE") && isOutside(i, table)));
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
      boolean found =
          tokens
              .between(where, behind)
              .has(
                  i ->
                      tokens.isAnyWord(i, "WHERE", "AND")
                          && isOutside(i, table)
                          && isEquality(i + 1, behind, table, key));
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
    boolean isQualified =
        tokens.isName(from)
            && tokens.isPunctuation(from + 1, '.')
            && tokens.name(from).equalsIgnoreCase(table.name());
    int at = from + (isQualified ? 2 : 0);
    int end = tokens.between(at + 2, behind).skip(i -> !tokens.isWord(i, "AND"));
    return tokens.isName(at)
        && tokens.name(at).equalsIgnoreCase(key.getKey())
        && tokens.isOperator(at + 1, "=")
        && isRowColumn(new Span(at + 2, end), key.getValue());
  }

  private boolean isRowColumn(Span value, String column) {
    int from = value.first();
    return value.behind() - from == 3
        && tokens.isWord(from, row)
        && tokens.isPunctuation(from + 1, '.')
        && tokens.isName(from + 2)
        && tokens.name(from + 2).equalsIgnoreCase(column);
  }

  private boolean updatesKeys(int from, int to) {
    return tokens
        .between(from, to)
        .has(
            i ->
                tokens.isName(i)
                    && (tokens.isOperator(i + 1, "=") || tokens.isOperator(i + 1, ":="))
                    && columns.keySet().stream().anyMatch(tokens.name(i)::equalsIgnoreCase));
  }
}
