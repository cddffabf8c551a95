package io.anabranch.frontend.current;

import io.anabranch.backend.row.RowCap;
import io.anabranch.frontend.rule.RuleCount;
import io.anabranch.rules.model.protection.QueryRule;
import org.jspecify.annotations.Nullable;

/**
 * What rules say of the current statement that those who run it must know.
 *
 * @param dataSource where it goes as it is; null: where its plan says
 * @param ignoresWrites a read need not see what its session has written
 * @param cap of the rows that the client gets; null: all of them
 * @param mirrored where it goes as well once it has succeeded; null: nowhere
 */
public record Ruling(
    @Nullable String dataSource,
    boolean ignoresWrites,
    @Nullable RowCap cap,
    @Nullable Mirrored mirrored) {

  /** As if there were no rules. */
  public static final Ruling NONE = new Ruling(null, false, null, null);

  /**
   * @param by the rule that says so
   */
  public record Mirrored(QueryRule by, QueryRule.Mirror to, RuleCount count) {}
}
