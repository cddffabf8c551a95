package io.anabranch.backend.pool;

import io.netty.channel.Channel;

/**
 * A pooled connection's channel while it is leased to the relay lane. HikariCP and the JDBC driver
 * opened it and own it; between leases the driver reads and writes it, during a lease we do.
 */
public interface BackendConnection {

  Channel channel();

  /** Capability bits in force: what the driver asked for and the server has. */
  long capabilities();

  /** The server's thread id. */
  long threadId();

  String serverVersion();
}
