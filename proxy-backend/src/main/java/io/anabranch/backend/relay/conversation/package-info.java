/**
 * The commands that go over one leased connection, one after the other, and the statements that are
 * prepared on it.
 *
 * <p>Start at {@link io.anabranch.backend.relay.conversation.Conversation}. Imports {@code
 * backend.lease} and the protocol. Everything runs on the event loop of the channel.
 */
@NullMarked
package io.anabranch.backend.relay.conversation;

import org.jspecify.annotations.NullMarked;
