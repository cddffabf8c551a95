/**
 * SELECT and other queries: one node as they are, else by the cheapest way that answers exactly, of
 * merging, computed groups, and copies.
 *
 * <p>Start with {@link io.anabranch.rules.planner.query.QueryPlanner}. A {@link
 * io.anabranch.rules.planner.query.Detour} answers by another query than the client's own; a {@link
 * io.anabranch.rules.planner.query.RowSource} is a query whose rows another statement uses. SET and
 * DO are such uses.
 *
 * <p>May import {@code rules.planner.stage}, {@code rules.planner.scatter}, {@code
 * rules.planner.endpoint} and what is below them. Plans on virtual threads; plans are immutable and
 * bound on event loops.
 */
@NullMarked
package io.anabranch.rules.planner.query;

import org.jspecify.annotations.NullMarked;
