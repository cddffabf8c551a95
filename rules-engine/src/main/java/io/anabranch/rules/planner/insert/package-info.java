/**
 * INSERT, REPLACE and LOAD DATA: each row goes to its node, the rows of one node in one statement.
 *
 * <p>Start with {@link io.anabranch.rules.planner.insert.InsertPlanner}; {@link
 * io.anabranch.rules.planner.insert.ShardedInsert} plans rows that the statement has, {@link
 * io.anabranch.rules.planner.insert.InsertQuery} those that a query gives, {@link
 * io.anabranch.rules.planner.insert.InsertBeside} those that stay where they are.
 *
 * <p>May import {@code rules.planner.query}, {@code rules.planner.view}, {@code rules.placement}
 * and what is below them. Plans on virtual threads; plans are immutable and bound on event loops.
 */
@NullMarked
package io.anabranch.rules.planner.insert;

import org.jspecify.annotations.NullMarked;
