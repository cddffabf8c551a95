package io.anabranch.backend.pool.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import java.net.SocketAddress;

/** Makes channels to databases, of the kind that the event loops are for: not yet registered. */
public interface DatabaseChannels {

  /** For TCP. */
  Channel toHost();

  /** For the file of a socket of this machine. */
  Channel toFile();

  /** Where {@link #toFile} connects to. */
  SocketAddress address(String file);

  /** For TCP alone. */
  static DatabaseChannels of(ChannelFactory<? extends Channel> toHosts) {
    return new DatabaseChannels() {
      @Override
      public Channel toHost() {
        return toHosts.newChannel();
      }

      @Override
      public Channel toFile() {
        throw new UnsupportedOperationException("for TCP alone");
      }

      @Override
      public SocketAddress address(String file) {
        throw new UnsupportedOperationException("for TCP alone");
      }
    };
  }
}
