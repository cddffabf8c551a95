package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.InsertSyntax.Assignment;
import io.anabranch.rules.syntax.SessionWords;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What ON DUPLICATE KEY UPDATE may do to rows of several nodes. It gives columns that place rows
 * nothing that moves a row: {@code id = LAST_INSERT_ID(id)} leaves it what it is, and {@code id =
 * VALUES(id)} gives it what the new row has, which has come to the same node.
 *
 * @param positions of the columns in the rows, in lower case
 */
record DuplicateUpdates(
    SqlTokens tokens, InsertSyntax syntax, ShardedTable table, Map<String, Integer> positions) {

  private enum Giver {
    OLD_ROW,
    NEW_ROW
  }

  /**
   * @param isElsewhere whether the old row may be on another node than where the new one belongs
   * @throws io.anabranch.rules.error.RefusedException if the row may belong elsewhere then
   */
  void refuseMoves(boolean isElsewhere) {
    Set<String> placing = RowPlacement.columns(table);
    Map<String, Giver> givers = new HashMap<>();
    for (Assignment update : syntax.updates()) {
      String column = update.column().toLowerCase(Locale.ROOT);
      if (placing.contains(column)) {
        Giver giver = giver(column, tokens.in(update.value()));
        if (giver == null || (giver == Giver.NEW_ROW && isElsewhere)) {
          throw refusal(update.column());
        }
        givers.put(column, giver);
      }
    }
    boolean anyNew = givers.containsValue(Giver.NEW_ROW);
    for (String column : placing) {
      if (anyNew && decideTogether() && givers.get(column) != Giver.NEW_ROW) {
        throw refusal(column);
      }
    }
  }

  /**
   * What goes from row to row, by their values or by the update, and no node knows of another one's
   * rows: LAST_INSERT_ID(…) is what the last of them gave it, a user variable what the former left.
   * Null: nothing does.
   */
  @Nullable Refusal together() {
    boolean isOfQuery = syntax.form() == InsertSyntax.Form.QUERY;
    TokenRange own = tokens.from(isOfQuery ? syntax.tail() : syntax.body());
    String found =
        SessionWords.giveInsertId(tokens, tokens.all())
            ? "LAST_INSERT_ID(…)"
            : own.has(token -> tokens.isOperator(token, ":=")) ? "':='" : null;
    return found == null
        ? null
        : new Refusal(found + " in an INSERT of several rows", "insert the rows one by one");
  }

  /** Whether the node is found by several columns at once: part of them may lead elsewhere. */
  private boolean decideTogether() {
    return table.databaseStrategy() instanceof ShardingStrategy.Complex
        || table.tableStrategy() instanceof ShardingStrategy.Complex;
  }

  /** Which row's value of the column this is; null if it is another value. */
  private @Nullable Giver giver(String column, TokenRange value) {
    TokenRange inner = value.unwrapped();
    int first = inner.first();
    boolean isCall =
        tokens.isPunctuation(first + 1, '(') && tokens.closing(first + 1) == inner.behind() - 1;
    TokenRange argument = isCall ? tokens.between(first + 2, inner.behind() - 1) : inner;
    if (isCall && tokens.isWord(first, "LAST_INSERT_ID")) {
      return giver(column, argument);
    }
    if (isCall) {
      boolean isGiven = tokens.isAnyWord(first, "VALUES", "VALUE");
      return isGiven && isOwn(column, argument.unwrapped()) ? Giver.NEW_ROW : null;
    }
    if (isOwn(column, inner)) {
      return Giver.OLD_ROW;
    }
    return isOfNewRow(column, inner) ? Giver.NEW_ROW : null;
  }

  private boolean isOwn(String column, TokenRange name) {
    return isColumn(syntax.table().name(), column, name)
        || (size(name) == 1 && isNamed(name.first(), column));
  }

  /** {@code new.id}, or {@code i} behind {@code AS new(i, n)}. */
  private boolean isOfNewRow(String column, TokenRange name) {
    int alias = syntax.tail() + 1;
    if (!tokens.isWord(syntax.tail(), "AS") || !tokens.isName(alias)) {
      return false;
    }
    boolean renames = tokens.isPunctuation(alias + 1, '(');
    int position = positions.getOrDefault(column, -1);
    int renamed = alias + 2 + 2 * position;
    if (renames && (position < 0 || !tokens.isName(renamed))) {
      return false;
    }
    String called = renames ? tokens.lowerName(renamed) : column;
    return isColumn(tokens.name(alias), called, name)
        || (renames && size(name) == 1 && isNamed(name.first(), called));
  }

  private boolean isColumn(String row, String column, TokenRange name) {
    boolean hasSchema = size(name) == 5 && tokens.isPunctuation(name.first() + 1, '.');
    int first = hasSchema ? name.first() + 2 : name.first();
    return name.behind() - first == 3
        && tokens.isName(first)
        && tokens.isPunctuation(first + 1, '.')
        && tokens.name(first).equalsIgnoreCase(row)
        && isNamed(first + 2, column);
  }

  private boolean isNamed(int token, String column) {
    return tokens.isName(token) && tokens.lowerName(token).equals(column);
  }

  private static int size(TokenRange range) {
    return range.behind() - range.first();
  }

  private static RefusedException refusal(String column) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "ON DUPLICATE KEY UPDATE of the sharding column '" + column + "'",
        "leave it out, or give it VALUES(" + column + ") or LAST_INSERT_ID(" + column + ")");
  }
}
