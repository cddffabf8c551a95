/**
 * From a statement to a lane: {@link io.anabranch.frontend.execution.Planning} plans and binds the
 * current statement, {@link io.anabranch.frontend.execution.StatementRules} says what rules and
 * limits have to say; then it runs in {@code execution.relay}, on one connection, or in {@code
 * execution.merge}, over several.
 *
 * <p>Start with these. May import {@code frontend.effect}, {@code frontend.rewrite}, {@code
 * frontend.current}, the planner and the backend. On the session's event loop; whatever blocks is
 * given to a virtual thread, which comes back through the loop.
 */
@NullMarked
package io.anabranch.frontend.execution;

import org.jspecify.annotations.NullMarked;
