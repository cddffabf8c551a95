package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a table by which a server reads groups one after the other. Without one it keeps them
 * in a table of its own, whose columns round sums of quotients, are ENUM, and have zeros in front:
 * a copy answers as its table only if it has the key, too. Used once.
 */
final class GroupedKey {

  private final PlanTask task;
  private final SqlTokens tokens;
  private final StagedReference reference;
  private final List<Column> copied;

  /**
   * @param copied columns of the copy
   */
  GroupedKey(PlanTask task, SqlTokens tokens, StagedReference reference, List<Column> copied) {
    this.task = task;
    this.tokens = tokens;
    this.reference = reference;
    this.copied = copied;
  }

  /**
   * Columns of the key, in its order; empty: the table has none, or it is not known whether a
   * server would take it.
   *
   * @param select of which the reference is the only table
   * @param unique the copy's primary key; may be empty
   */
  List<Column> columns(SelectSpans select, List<Column> unique) {
    List<Column> grouped = grouped(select);
    if (grouped.isEmpty()
        || !(reference.table() instanceof PlacedTable.Sharded sharded)
        || sharded.view() != null) {
      return List.of();
    }
    List<TableKey> keys = task.keys(sharded.table().nodes());
    if (isFoundByKey(keys, select.where(), grouped)) {
      return List.of();
    }
    for (TableKey key : keys) {
      List<Column> columns = beginning(key, grouped.size());
      boolean isThere = key.isPrimary() && !unique.isEmpty();
      if (!isThere && new HashSet<>(columns).equals(new HashSet<>(grouped))) {
        return columns;
      }
    }
    return List.of();
  }

  /** Columns of GROUP BY; empty: there is none, or of something else. */
  private List<Column> grouped(SelectSpans select) {
    int by =
        tokens
            .between(select.select(), select.behind())
            .find(
                token ->
                    tokens.depth(token) == tokens.depth(select.select())
                        && tokens.isWord(token, "GROUP")
                        && tokens.isWord(token + 1, "BY"));
    if (by < 0) {
      return List.of();
    }
    int behind = tokens.between(by + 2, select.behind()).skip(token -> !isEnd(token));
    var columns = new ArrayList<Column>();
    for (Span part : tokens.between(by + 2, behind).parts()) {
      Column column = column(part);
      if (column == null) {
        return List.of();
      }
      columns.add(column);
    }
    return columns;
  }

  private boolean isEnd(int token) {
    return tokens.isPunctuation(token, ';') || ClauseEnds.endsCondition(tokens, token);
  }

  /** The one that stands there, and nothing else; null: another thing does. */
  private @Nullable Column column(Span part) {
    boolean isQualified =
        tokens.isPunctuation(part.first() + 1, '.') && reference.isNamed(tokens.name(part.first()));
    int name = isQualified ? part.first() + 2 : part.first();
    return tokens.isName(name) && name + 1 == part.behind()
        ? copiedColumn(tokens.name(name))
        : null;
  }

  private @Nullable Column copiedColumn(String name) {
    for (Column column : copied) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  /** The first columns of a key that a copy can have; empty: it has others, or parts of columns. */
  private List<Column> beginning(TableKey key, int count) {
    if (key.parts().size() < count) {
      return List.of();
    }
    var columns = new ArrayList<Column>();
    for (TableKey.Part part : key.parts().subList(0, count)) {
      Column column =
          part.column() == null || part.prefix() > 0 ? null : copiedColumn(part.column());
      boolean isWhole =
          column != null && StagedCells.keyPart(column).equals(TableNames.quoted(column.name()));
      if (!isWhole) {
        return List.of();
      }
      columns.add(column);
    }
    return columns;
  }

  /**
   * Whether a server may rather read the rows by another key, of which the WHERE tells something.
   */
  private boolean isFoundByKey(List<TableKey> keys, Span where, List<Column> grouped) {
    return tokens
        .in(where)
        .has(token -> keys.stream().anyMatch(key -> isFoundBy(key, token, grouped)));
  }

  private boolean isFoundBy(TableKey key, int token, List<Column> grouped) {
    String leading = key.parts().isEmpty() ? null : key.parts().getFirst().column();
    if (leading == null || tokens.isWord(token, "SELECT")) {
      return true;
    }
    return tokens.isName(token)
        && tokens.name(token).equalsIgnoreCase(leading)
        && grouped.stream().noneMatch(one -> one.name().equalsIgnoreCase(leading));
  }
}
