package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.planner.program.TriggerKeys;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Whether the rows of a sharded table that its foreign key refers to lie beside those that refer to
 * them: a database looks for them there, and there alone it cascades. They do where the key's
 * columns have the sharding columns at their own places. Of bound tables the binding promises it,
 * unless the key ties a sharding column to another one.
 */
final class ForeignKeys {

  private final SqlTokens tokens;
  private final TableDirectory directory;
  private final ShardedTable table;

  ForeignKeys(SqlTokens tokens, TableDirectory directory, ShardedTable table) {
    this.tokens = tokens;
    this.directory = directory;
    this.table = table;
  }

  /**
   * @param others what REFERENCES names
   * @throws RefusedException if rows of another node may be meant
   */
  void check(List<TableMention> others) {
    for (TableMention other : others) {
      if (table.nodes().size() == 1) {
        continue;
      }
      switch (directory.find(other.qualifier(), other.name())) {
        case TablePlace.Sharded place -> {
          if (place.table().name().equalsIgnoreCase(table.name())) {
            check(other);
          } else {
            refuseCrossed(other, place.table());
            if (nulls(other)) {
              refuseChangedKeys(other);
            }
          }
        }
        case TablePlace.Broadcast _, TablePlace.Single _, TablePlace.Absent _ ->
            refuseChangedKeys(other);
      }
    }
  }

  /** What a database cascades into sharding columns moves no row. */
  private void refuseChangedKeys(TableMention other) {
    Set<String> placing = RowPlacement.columns(table);
    for (String column : referring(other.first() - 1)) {
      if (placing.contains(column.toLowerCase(Locale.ROOT)) && (nulls(other) || cascades(other))) {
        throw refused(
            "a foreign key that changes sharding column '" + column + "'",
            "leave ON UPDATE CASCADE, SET NULL and SET DEFAULT out: the rows would not lie where"
                + " they are looked for");
      }
    }
  }

  private void check(TableMention other) {
    TablePlace.Sharded place =
        (TablePlace.Sharded) directory.require(other.qualifier(), other.name());
    Map<String, String> pairs = TriggerKeys.of(tokens, "NEW", table, place.table()).columns();
    List<String> own = referring(other.first() - 1);
    List<String> theirs = names(other.behind());
    for (Map.Entry<String, String> pair : pairs.entrySet()) {
      boolean tied = false;
      for (int i = 0; i < Math.min(own.size(), theirs.size()); i++) {
        tied |=
            own.get(i).equalsIgnoreCase(pair.getValue())
                && theirs.get(i).equalsIgnoreCase(pair.getKey());
      }
      if (!tied) {
        throw elsewhere(other);
      }
    }
    if (nulls(other)) {
      throw refused(
          "SET NULL or SET DEFAULT of a foreign key with sharding columns of '"
              + table.name()
              + "'",
          "leave it out: the rows would not lie where they are looked for");
    }
  }

  /**
   * Of rows of one node, a key that ties another column to a sharding column has many elsewhere.
   */
  private void refuseCrossed(TableMention other, ShardedTable bound) {
    Map<String, String> pairs = TriggerKeys.of(tokens, "NEW", table, bound).columns();
    List<String> own = referring(other.first() - 1);
    List<String> theirs = names(other.behind());
    for (int i = 0; i < Math.min(own.size(), theirs.size()); i++) {
      for (Map.Entry<String, String> pair : pairs.entrySet()) {
        if (theirs.get(i).equalsIgnoreCase(pair.getKey())
            != own.get(i).equalsIgnoreCase(pair.getValue())) {
          throw elsewhere(other);
        }
      }
    }
  }

  private RefusedException elsewhere(TableMention other) {
    return refused(
        "a foreign key of the sharded table '"
            + table.name()
            + "' to rows of '"
            + other.name()
            + "' that may lie elsewhere",
        "have the sharding columns in it, each at the other's place, or leave it out");
  }

  /** The columns in front of REFERENCES. */
  private List<String> referring(int references) {
    int close = references - 1;
    if (!tokens.isPunctuation(close, ')')) {
      return List.of(column(references));
    }
    int open =
        tokens
            .between(0, close)
            .findLast(i -> tokens.isPunctuation(i, '(') && tokens.closing(i) == close);
    int word =
        tokens.between(0, open).findLast(i -> !tokens.isName(i) || tokens.isWord(i, "FOREIGN"));
    return tokens.isWord(word, "FOREIGN") ? names(open) : List.of(column(references));
  }

  /** The column of which REFERENCES is a word. */
  private String column(int references) {
    int depth = tokens.depth(references);
    int first = tokens.between(0, references).findLast(token -> begins(token, depth)) + 1;
    return tokens.isName(first) ? tokens.name(first) : "";
  }

  private boolean begins(int token, int depth) {
    if (tokens.depth(token) < depth) {
      return true;
    }
    boolean word = tokens.isAnyWord(token, "ADD", "COLUMN", "EXISTS", "MODIFY", "CHANGE");
    boolean more = tokens.isWord(token + 1, "COLUMN") || tokens.isWord(token + 1, "IF");
    return tokens.depth(token) == depth && (tokens.isPunctuation(token, ',') || (word && !more));
  }

  private List<String> names(int open) {
    return tokens.isPunctuation(open, '(')
        ? tokens.between(open + 1, tokens.closing(open)).names().stream().map(tokens::name).toList()
        : List.of();
  }

  /** Whether ON DELETE or ON UPDATE takes values away. */
  private boolean nulls(TableMention other) {
    return options(other)
        .has(
            i ->
                tokens.isAnyWord(i, "DELETE", "UPDATE")
                    && tokens.isWord(i - 1, "ON")
                    && tokens.isWord(i + 1, "SET"));
  }

  /** Whether ON UPDATE gives values of the other table's. */
  private boolean cascades(TableMention other) {
    return options(other)
        .has(
            i ->
                tokens.isWord(i, "UPDATE")
                    && tokens.isWord(i - 1, "ON")
                    && tokens.isWord(i + 1, "CASCADE"));
  }

  /** What follows the name of the other table. */
  private TokenRange options(TableMention other) {
    int end =
        tokens
            .from(other.behind())
            .until(tokens.depth(other.first()), i -> tokens.isPunctuation(i, ','));
    return tokens.between(other.behind(), end);
  }

  private static RefusedException refused(String what, String hint) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(what, hint);
  }
}
