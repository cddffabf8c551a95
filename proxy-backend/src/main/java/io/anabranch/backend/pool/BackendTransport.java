package io.anabranch.backend.pool;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;

/**
 * How backend channels are made.
 *
 * @param loops the event loops of the sessions, so that a leased channel can move to its session's
 * @param channels makes channels that fit the loops
 */
public record BackendTransport(
    EventLoopGroup loops, ChannelFactory<? extends SocketChannel> channels) {}
