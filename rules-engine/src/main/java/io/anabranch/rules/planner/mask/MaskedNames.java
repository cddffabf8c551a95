package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names that stand for masked columns in one statement: the columns' own, and those that it gives
 * them. Each has one masker: who sees what is told by names alone. Not thread-safe.
 */
final class MaskedNames {

  private static final int ASCII = 0x80;

  private final Map<String, Masker> maskers = new HashMap<>();

  /** Names of columns of several tables that are masked in several ways. */
  private final Set<String> doubtful = new HashSet<>();

  /** Takes the columns of a table. */
  void add(Map<String, Masker> columns) {
    columns.forEach(
        (column, masker) -> {
          Masker known = maskers.putIfAbsent(column, masker);
          if (known != null && !known.equals(masker)) {
            doubtful.add(column);
          }
        });
  }

  boolean has(String name) {
    return maskers.containsKey(lower(name));
  }

  /** Null: the name stands for no masked column. */
  @Nullable Masker of(@Nullable String name) {
    return name == null ? null : maskers.get(lower(name));
  }

  /**
   * A column is called otherwise; true if that is new.
   *
   * @throws io.anabranch.rules.error.RefusedException if that is the name of a column that is
   *     masked in another way: the weaker of the two would be chosen by whoever writes the
   *     statement
   */
  boolean alias(Masker masker, String alias) {
    Masker known = maskers.putIfAbsent(lower(alias), masker);
    if (known != null && !known.equals(masker)) {
      throw MaskedQuery.refusal("the name '" + alias + "' for columns that are masked differently");
    }
    return known == null;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException if it cannot be told how a column is masked
   */
  void requireCertain(SqlTokens tokens) {
    if (doubtful.isEmpty()) {
      return;
    }
    int named =
        tokens
            .all()
            .find(
                token ->
                    tokens.isOperator(token, "*")
                        || (tokens.isName(token) && doubtful.contains(lower(tokens.name(token)))));
    if (named >= 0) {
      throw MaskedQuery.refusal(
          "'"
              + tokens.text(named)
              + "' of tables whose columns of one name are masked differently");
    }
  }

  /** Whether servers may tell some of them in other letters than they were written in. */
  boolean areBeyondAscii() {
    return maskers.keySet().stream()
        .anyMatch(name -> name.chars().anyMatch(letter -> letter >= ASCII));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** In lower case, with the maskers of their columns. */
  Map<String, Masker> all() {
    return Map.copyOf(maskers);
  }
}
