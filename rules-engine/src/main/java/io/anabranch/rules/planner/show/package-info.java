/**
 * SHOW, DESCRIBE and EXPLAIN: what servers tell, in logical names and over all nodes.
 *
 * <p>Start with {@link io.anabranch.rules.planner.show.ShowPlanner}; each {@code …Listing} is one
 * statement. May import {@code rules.planner.maintenance}, {@code rules.planner.program}, {@code
 * rules.planner.query}, {@code rules.metadata} and what is below them. Plans on virtual threads;
 * plans are immutable.
 */
@NullMarked
package io.anabranch.rules.planner.show;

import org.jspecify.annotations.NullMarked;
