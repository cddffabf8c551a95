/**
 * Views over sharded tables: making them, and writing through them.
 *
 * <p>Start with {@link io.anabranch.rules.planner.view.ViewPlanner} (CREATE, ALTER, DROP) and
 * {@link io.anabranch.rules.planner.view.ViewWrite}. How queries read views is in {@code
 * rules.resolve} and {@code rules.planner.query}. May import {@code rules.planner.query}, {@code
 * rules.planner.endpoint} and what is below them. Plans on virtual threads; plans are immutable.
 */
@NullMarked
package io.anabranch.rules.planner.view;

import org.jspecify.annotations.NullMarked;
