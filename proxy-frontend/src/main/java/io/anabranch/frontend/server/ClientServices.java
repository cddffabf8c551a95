package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.AccountDesk;
import io.anabranch.frontend.auth.FailedLogins;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.tls.TlsInForce;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.ClientProperties.Limits;
import io.anabranch.rules.model.Network;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all clients' handlers share.
 *
 * @param capabilities that greetings offer whatever databases there are
 */
record ClientServices(
    ServerSettings settings,
    long capabilities,
    Supplier<Deployment> deployments,
    SessionRegistry registry,
    SessionListener listener,
    Executor background,
    FailedLogins failedLogins,
    AccountDesk accounts,
    SecureRandom random,
    Door door,
    ChannelGroup clients,
    ViolationLog violations,
    MemoryBudget memory) {

  Limits limits() {
    return settings.clients().limits();
  }

  /** Whether a header of the PROXY protocol is taken from this address. */
  boolean mayBeProxied(InetAddress address) {
    for (Network network : settings.clients().proxyProtocolNetworks()) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** A handler that speaks TLS; only if TLS is offered. */
  SslHandler newTlsHandler(ByteBufAllocator allocator) {
    TlsInForce tls = settings.tls();
    if (tls == null) {
      throw new IllegalStateException("TLS is not offered");
    }
    return tls.current().newHandler(allocator, background);
  }

  /**
   * Counts one more connection of the account, which {@link SessionRegistry#leave} takes back.
   *
   * @param former the account that the connection had before; null for a new connection
   * @throws RefusedException 1040, 1203, 1226 if there are too many; then it is not counted
   */
  void admit(Authority.User account, Authority.@Nullable User former) {
    int connections = registry.enter(account);
    int own = account.maxConnections();
    int all = limits().maxUserConnections();
    if (own > 0 && connections > own) {
      registry.forget(account);
      throw ErrorCatalogue.USER_LIMIT_REACHED.refuse(account.name(), "max_user_connections", own);
    }
    if (own == 0 && all > 0 && connections > all) {
      registry.forget(account);
      throw ErrorCatalogue.TOO_MANY_USER_CONNECTIONS.refuse(account.name());
    }
    try {
      registry.limits().enter(account.name(), former == null ? null : former.name());
    } catch (RefusedException e) {
      registry.forget(account);
      throw e;
    }
  }
}
