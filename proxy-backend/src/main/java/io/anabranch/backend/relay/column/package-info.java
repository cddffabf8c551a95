/**
 * Definitions of columns on their way to a client: names written anew, heads of results that are
 * known from before, what a client was told of a prepared statement.
 *
 * <p>Start at {@link io.anabranch.backend.relay.column.ToldColumns}. Imports the protocol and the
 * plan language; used on the event loop of one channel.
 */
@NullMarked
package io.anabranch.backend.relay.column;

import org.jspecify.annotations.NullMarked;
