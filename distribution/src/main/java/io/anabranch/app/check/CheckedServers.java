package io.anabranch.app.check;

import io.anabranch.app.check.DryRun.Findings;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireShardConnections;
import io.anabranch.frontend.transport.Transport;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/** The servers of a configuration that no proxy serves: {@code check --connect}. */
public final class CheckedServers {

  private static final int FEW_STATEMENTS = 16;
  private static final long END_SECONDS = 2;

  private CheckedServers() {}

  /** Asks all of them, and closes what it has opened. Blocks for some seconds at most. */
  public static Findings look(Configuration configuration) {
    ProxyProperties properties = configuration.ruleSet().properties();
    Transport transport = Transport.choose(properties.transport());
    EventLoopGroup loops = transport.eventLoops(1, "check");
    try {
      var dialled =
          new BackendTransport(
              loops,
              transport.channels(properties.clients().limits().keepAliveSeconds()),
              properties.backendSilenceSeconds());
      var problems = new ArrayList<String>();
      var notices = new ArrayList<String>();
      for (LogicalDatabase database : configuration.ruleSet().databases().values()) {
        Findings findings = look(configuration, database, dialled);
        problems.addAll(findings.problems());
        notices.addAll(findings.notices());
      }
      return new Findings(problems, notices);
    } finally {
      loops.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private static Findings look(
      Configuration configuration, LogicalDatabase database, BackendTransport transport) {
    var desk =
        new HikariLeaseDesk(
            database.name() + " (check)",
            database.dataSources().values(),
            transport,
            new WireShardConnections(new KeptStatements(FEW_STATEMENTS))::over,
            PoolListener.NONE);
    try {
      return new DryRun(configuration, database, database.dataSources().keySet()).run(desk::asker);
    } finally {
      desk.close();
    }
  }
}
