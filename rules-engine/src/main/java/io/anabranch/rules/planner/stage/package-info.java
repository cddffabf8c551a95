/**
 * Queries that a database finishes over copies of their tables, or over merged groups: what merging
 * does not answer exactly.
 *
 * <p>Start with {@link io.anabranch.rules.planner.stage.StagePlanner}, whose head names the phases;
 * {@link io.anabranch.rules.planner.stage.ComputedGroups} needs copies of groups only. May import
 * {@code rules.planner.scatter}, {@code rules.placement} and what is below them. Plans on virtual
 * threads; plans are immutable and bound on event loops.
 */
@NullMarked
package io.anabranch.rules.planner.stage;

import org.jspecify.annotations.NullMarked;
