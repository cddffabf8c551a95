/**
 * What each command does. {@link io.anabranch.frontend.command.CommandRunner} dispatches a frame
 * and {@link io.anabranch.frontend.command.StatementRun} is the way of a statement: start there.
 * {@code StatementChoice} decides whether {@code frontend.local} answers it or it is planned,
 * {@code LaneChoice} which lane of {@code frontend.execution} runs it; {@code frontend.current}
 * holds its state, {@code frontend.effect} what it leaves.
 *
 * <p>May import every other package of the frontend but {@code frontend.server}, the planner and
 * the backend. Runs on the session's event loop; whatever blocks is given to a virtual thread,
 * which comes back through the loop.
 */
@NullMarked
package io.anabranch.frontend.command;

import org.jspecify.annotations.NullMarked;
