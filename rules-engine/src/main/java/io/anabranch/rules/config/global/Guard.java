package io.anabranch.rules.config.global;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.protection.StatementTrait;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules that are ready made: what they match, and what they tell clients. */
enum Guard {
  WRITE_WITHOUT_WHERE(StatementTrait.WITHOUT_WHERE, 0, "UPDATE and DELETE need a WHERE"),
  JOIN_WITHOUT_CONDITION(
      StatementTrait.JOIN_WITHOUT_CONDITION,
      0,
      "it joins tables without a condition; add ON, or compare their columns in WHERE"),
  SCATTER(null, 1, "it goes to too many data sources; add a condition on the sharding column"),
  SORT_WITHOUT_LIMIT(
      StatementTrait.ORDER_BY_WITHOUT_LIMIT, 1, "ORDER BY over several data sources needs a LIMIT"),
  INJECTION(StatementTrait.INJECTION, 0, "it looks like an injection");

  private final @Nullable StatementTrait trait;
  private final int moreThanDataSources;
  private final String message;

  Guard(@Nullable StatementTrait trait, int moreThanDataSources, String message) {
    this.trait = trait;
    this.moreThanDataSources = moreThanDataSources;
    this.message = message;
  }

  /** In any case; null: there is none of that name. */
  static @Nullable Guard named(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(each -> each.name().equals(upper))
        .findFirst()
        .orElse(null);
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Guard::name).toList();
  }

  Set<StatementKind> kinds() {
    return this == WRITE_WITHOUT_WHERE
        ? Set.of(StatementKind.UPDATE, StatementKind.DELETE)
        : Set.of();
  }

  Set<StatementTrait> traits() {
    return trait == null ? Set.of() : Set.of(trait);
  }

  int moreThanDataSources() {
    return moreThanDataSources;
  }

  String message() {
    return message;
  }
}
