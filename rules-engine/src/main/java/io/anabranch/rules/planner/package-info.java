/**
 * Statement to plan: {@link io.anabranch.rules.planner.StatementPlanner} hands each statement to
 * the {@link io.anabranch.rules.planner.KindPlanner} of its kind and caches what comes back.
 *
 * <p>Start with {@code StatementPlanner}, then {@code SelectPlanner}. May import every other
 * package of the rules engine but {@code rules.config}; never Druid, whose trees end in {@code
 * rules.sql}.
 *
 * <p>Planning runs on virtual threads (it asks databases through {@link
 * io.anabranch.rules.planner.SchemaCatalog}); plans are bound on event loops, so nothing of this
 * package blocks in {@code bind}.
 */
@NullMarked
package io.anabranch.rules.planner;

import org.jspecify.annotations.NullMarked;
