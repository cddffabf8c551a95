/**
 * What is to be planned: {@link io.anabranch.rules.task.PlanTask}, a statement with all that its
 * plan may depend on, of which {@link io.anabranch.rules.task.PlanScope} is the part that outlives
 * the statement.
 *
 * <p>Start with these two, then {@link io.anabranch.rules.task.KindPlanner}, which every room of
 * {@code rules.planner} implements. Here are also the plans that any of them may give: {@link
 * io.anabranch.rules.task.FixedPlan} and {@link io.anabranch.rules.task.TemplatePlan} do not look
 * at values.
 *
 * <p>May import {@code rules.catalog}, {@code rules.syntax} and what is below them. A task belongs
 * to the virtual thread that plans; scopes and plans are immutable, and plans are bound on event
 * loops.
 */
@NullMarked
package io.anabranch.rules.task;

import org.jspecify.annotations.NullMarked;
