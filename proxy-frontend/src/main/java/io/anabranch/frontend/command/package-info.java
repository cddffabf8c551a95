/**
 * What each command does. {@code CommandRunner} dispatches a frame and {@code StatementRun} is the
 * way of a statement: start there. {@code CurrentStatement} holds its state; {@code Planning},
 * {@code RelayLane}, {@code MergeLane}, {@code Preparation} and {@code Interruption} are its parts,
 * which hand it on through {@code StatementCourse}. There is one class per family of session
 * statements, each of which ends with an {@code Answer}.
 *
 * <p>May import {@code frontend.session} and {@code frontend.response}, the planner and the
 * backend. Runs on the session's event loop; whatever blocks is given to a virtual thread, which
 * comes back through the loop.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.command;
