/**
 * The two lanes: plan, lease, run. {@link io.anabranch.frontend.execution.Planning} plans and binds
 * the current statement, {@link io.anabranch.frontend.execution.RelayLane} runs it on one
 * connection, {@link io.anabranch.frontend.execution.MergeLane} over several, {@link
 * io.anabranch.frontend.execution.MemberSearch} chooses the member of a group.
 *
 * <p>Start with these. May import {@code frontend.effect}, {@code frontend.rewrite}, {@code
 * frontend.current}, the planner and the backend. On the session's event loop; whatever blocks is
 * given to a virtual thread, which comes back through the loop.
 */
@NullMarked
package io.anabranch.frontend.execution;

import org.jspecify.annotations.NullMarked;
