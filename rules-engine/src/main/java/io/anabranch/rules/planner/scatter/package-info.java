/**
 * Queries over several nodes, answered by merging the streams of their rows.
 *
 * <p>Start with {@link io.anabranch.rules.planner.scatter.ScatterPlanner}: it makes a {@link
 * io.anabranch.rules.planner.scatter.ScatterDraft} and finishes it without groups ({@link
 * io.anabranch.rules.planner.scatter.PlainScatter}) or with them ({@link
 * io.anabranch.rules.planner.scatter.GroupedScatter}). What comes out is a {@link
 * io.anabranch.rules.planner.scatter.Scatter}, or the reason why there is none.
 *
 * <p>May import {@code rules.resolve}, {@code rules.compare} and what is below them; never stages.
 * Plans on virtual threads; a scatter is immutable and gives its plan on event loops.
 */
@NullMarked
package io.anabranch.rules.planner.scatter;

import org.jspecify.annotations.NullMarked;
