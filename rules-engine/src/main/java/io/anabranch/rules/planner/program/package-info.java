/**
 * Programs that databases keep: triggers, functions, procedures, events. They are made where what
 * they use lies.
 *
 * <p>Start with {@link io.anabranch.rules.planner.program.TriggerPlanner} and {@link
 * io.anabranch.rules.planner.program.RoutinePlanner}. May import {@code rules.planner.endpoint},
 * {@code rules.placement}, {@code rules.resolve} and what is below them. Plans on virtual threads;
 * plans are immutable.
 */
@NullMarked
package io.anabranch.rules.planner.program;

import org.jspecify.annotations.NullMarked;
