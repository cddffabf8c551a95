/**
 * Packets between a leased connection and a client, or a reader of the merge lane.
 *
 * <p>Start at {@link io.anabranch.backend.relay.Relay}; {@code conversation} has one command under
 * way, {@code command} what is asked for. Rows are forwarded as the buffers they came in; only what
 * the two sides negotiated differently is rewritten. The merge lane's {@code ShardConnection} over
 * the same channels is in {@code shard}.
 *
 * <p>Imports {@code backend.pool}, {@code backend.shard}, {@code mysql-protocol}, {@code
 * rules.plan}. Everything runs on the event loop of the lease's channel, but for the merge lane's
 * readers, which are virtual threads.
 */
@NullMarked
package io.anabranch.backend.relay;

import org.jspecify.annotations.NullMarked;
