/**
 * The merge lane's {@code ShardConnection} over the channels of the relay.
 *
 * <p>Start at {@link io.anabranch.backend.relay.shard.WireShardConnections}. Its readers are
 * virtual threads; bytes come on the event loop of the lease's channel.
 */
@NullMarked
package io.anabranch.backend.relay.shard;

import org.jspecify.annotations.NullMarked;
