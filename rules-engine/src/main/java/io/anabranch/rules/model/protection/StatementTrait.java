package io.anabranch.rules.model.protection;

/** What rules can ask of a statement: of its form, but for {@link #INJECTION}. */
public enum StatementTrait {
  /** UPDATE or DELETE without WHERE; a SELECT that has FROM and no WHERE, one of a UNION's too. */
  WITHOUT_WHERE("withoutWhere"),
  /** Tables stand side by side, and nothing compares columns of one with those of another. */
  JOIN_WITHOUT_CONDITION("joinWithoutCondition"),
  /** The outermost ORDER BY of a query has no LIMIT. */
  ORDER_BY_WITHOUT_LIMIT("orderByWithoutLimit"),
  /** Its text, literals included, looks as if somebody had put SQL into it who should not. */
  INJECTION("injection");

  private final String key;

  StatementTrait(String key) {
    this.key = key;
  }

  /** As the configuration calls it. */
  public String key() {
    return key;
  }
}
