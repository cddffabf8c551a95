/**
 * What the relay is asked for and what it tells: commands, cursors, forms of answers, callbacks.
 *
 * <p>Start at {@link io.anabranch.backend.relay.command.RelayRequest}. Values and contracts;
 * callbacks are called on the event loop of the lease's channel.
 */
@NullMarked
package io.anabranch.backend.relay.command;

import org.jspecify.annotations.NullMarked;
