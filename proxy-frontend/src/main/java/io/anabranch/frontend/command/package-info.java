/**
 * What each command does: {@code Commands} dispatches a frame, {@code StatementRun} is the way of a
 * statement, and there is one class per family of session statements.
 *
 * <p>May import {@code frontend.session} and {@code frontend.response}, the planner and the
 * backend. Runs on the session's event loop; whatever blocks is given to a virtual thread, which
 * comes back through the loop.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.command;
