/**
 * Statement to plan: {@link io.anabranch.rules.planner.StatementPlanner} hands each statement to
 * the {@link io.anabranch.rules.task.KindPlanner} of its kind and caches what comes back.
 *
 * <p>Start with {@code StatementPlanner}, then {@link
 * io.anabranch.rules.planner.query.QueryPlanner}. One room a family of statements: {@code query}
 * over {@code stage} over {@code scatter}; {@code insert}, {@code change}, {@code definition},
 * {@code view}, {@code program}, {@code show}, {@code maintenance}, {@code endpoint}. What they
 * share is below them: {@code rules.resolve}, {@code rules.table}, {@code rules.placement}, {@code
 * rules.rewrite}, {@code rules.task}, {@code rules.catalog}, {@code rules.syntax}.
 *
 * <p>May import every other package of the rules engine but {@code rules.config}; never Druid,
 * whose trees end in {@code rules.sql}. Planning runs on virtual threads (it asks databases through
 * {@link io.anabranch.rules.catalog.SchemaCatalog}); plans are bound on event loops, so nothing
 * blocks in {@code bind}.
 */
@NullMarked
package io.anabranch.rules.planner;

import org.jspecify.annotations.NullMarked;
