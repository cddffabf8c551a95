package io.anabranch.rules.planner;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TextShapes;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statement to plan, with the cache in front. One per {@code RuleSet}; thread-safe.
 *
 * <p>Takes the kinds that touch tables: queries, DML, DDL, SHOW, DESCRIBE, table maintenance, CALL,
 * DO, HANDLER, OTHER. Session statements (SET, USE, transactions, LOCK, PREPARE…) are the
 * frontend's. In a pass-through database every such statement plans to {@code AsIs}, whatever the
 * parser thinks of it.
 */
public interface Planner {

  /** Texts that are known, whatever their plans; shared by all event loops. */
  TextShapes shapes();

  /**
   * The cached plan of a scanned statement, or null on a miss. Does not block and does not
   * allocate; made for event loops.
   */
  @Nullable StatementPlan cached(Scan scan, PlanScope scope);

  /** The instance that stands for all scopes equal to this one, where there is one. */
  default PlanScope known(PlanScope scope) {
    return scope;
  }

  /** A plan, and what it is for the values of one execution. */
  record Planned(StatementPlan plan, BoundPlan bound) {}

  /**
   * Plans, caches and binds. Blocks like {@link #plan}; a large statement waits for others to be
   * planned.
   *
   * @param read the statement's tokens, where somebody has read them
   * @param wish ends planning early where it is abandoned
   */
  Planned plan(Scan scan, @Nullable SourceText read, PlanScope scope, SlotValues values, Wish wish);

  /** Of a statement whose tokens nobody has read yet. */
  default Planned plan(Scan scan, PlanScope scope, SlotValues values, Wish wish) {
    return plan(scan, null, scope, values, wish);
  }

  /**
   * Plans and caches. Blocks (parser, {@link SchemaCatalog}): virtual threads only.
   *
   * @throws io.anabranch.rules.error.RefusedException with the reason if it cannot be planned
   * @throws SchemaCatalog.DescribeException with the database's own error
   */
  StatementPlan plan(Scan scan, PlanScope scope);

  /** What is cached now. */
  default List<CachedPlan> plans() {
    return List.of();
  }

  /**
   * A plan and the statements that it is for.
   *
   * @param normalForm their normal form, in the scope's character set; each slot a byte; not to be
   *     changed
   * @param guards how many literals must be the same, besides
   */
  @SuppressWarnings("ArrayRecordComponent")
  record CachedPlan(PlanScope scope, byte[] normalForm, int guards, StatementPlan plan) {}

  /** All cached plans are out of date, those of other configurations as well: after DDL. */
  void invalidate();
}
