/**
 * The relay lane: the current statement on one connection, its answer forwarded. {@link
 * io.anabranch.frontend.execution.relay.RelayLane} asks for the connection and sends, {@link
 * io.anabranch.frontend.execution.relay.MemberSearch} chooses the member of a group, {@link
 * io.anabranch.frontend.execution.relay.SharedRead} sends on a connection that other sessions use
 * at the same time.
 *
 * <p>May import {@code frontend.execution} and what that may. On the session's event loop.
 */
@NullMarked
package io.anabranch.frontend.execution.relay;

import org.jspecify.annotations.NullMarked;
