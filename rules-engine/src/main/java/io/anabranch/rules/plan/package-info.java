/**
 * The plan language: what a planned statement is and what binding it gives.
 *
 * <p>Start with {@link io.anabranch.rules.plan.StatementPlan}, then {@link
 * io.anabranch.rules.plan.BoundPlan} and {@link io.anabranch.rules.plan.PlanNode}. {@link
 * io.anabranch.rules.plan.PlanPrinter} writes bound plans for golden files and EXPLAIN ROUTE. May
 * import {@code rules.lexer} and {@code rules.value}. Plans are immutable and shared by threads;
 * {@link io.anabranch.rules.plan.slot.SlotValues} belong to the session that binds.
 */
@NullMarked
package io.anabranch.rules.plan;

import org.jspecify.annotations.NullMarked;
