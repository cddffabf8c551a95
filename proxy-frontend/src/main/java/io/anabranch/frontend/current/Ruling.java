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
 * @param kept who may get the same answer; null: nobody
 */
public record Ruling(
    @Nullable String dataSource,
    boolean ignoresWrites,
    @Nullable RowCap cap,
    @Nullable Mirrored mirrored,
    @Nullable Kept kept) {

  /** As if there were no rules. */
  public static final Ruling NONE = new Ruling(null, false, null, null, null);

  /**
   * @param by the rule that says so
   */
  public record Mirrored(QueryRule by, QueryRule.Mirror to, RuleCount count) {}

  /**
   * @param milliseconds for which others get its answer; 0: they do not
   * @param caching counts those who get it so
   * @param merging counts those who get it while it is under way; null: they do not
   */
  public record Kept(long milliseconds, @Nullable RuleCount caching, @Nullable RuleCount merging) {

    public boolean merges() {
      return merging != null;
    }

    /** The statement has got what was kept. */
    public void cached() {
      if (caching != null) {
        caching.cached();
      }
    }

    /** The statement has got what another one brought. */
    public void merged() {
      if (merging != null) {
        merging.merged();
      }
    }
  }
}
