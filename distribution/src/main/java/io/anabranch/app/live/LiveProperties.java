package io.anabranch.app.live;

import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.ProxyProperties.Admin;
import io.anabranch.rules.model.ProxyProperties.Statistics;
import io.anabranch.rules.model.TransactionSettings;
import java.util.Set;

/** Which parts of the global file take effect while the proxy runs, and which at its next start. */
final class LiveProperties {

  private static final String PROPS = "global: props.";
  private static final String TRANSACTION = "global: transaction";
  private static final String LIMIT = "-limit-milliseconds";

  private static final Set<String> LIVE =
      Set.of(
          "sql-show",
          "max-connections-size-per-query",
          "max-union-size-per-datasource",
          "proxy-merge-max-rows",
          "proxy-relay-enabled",
          "proxy-stage-max-rows",
          "proxy-stage-max-bytes",
          "proxy-stage-total-bytes",
          "proxy-stage-data-source",
          "proxy-atomic-statements",
          "proxy-slow-log-threshold-milliseconds",
          "proxy-slow-log-user-thresholds",
          "proxy-slow-log-database-thresholds",
          "proxy-slow-log-explain-per-minute",
          "proxy-audit-log-statements",
          "proxy-statement-log-literals",
          "proxy-origin-comment",
          "proxy-admin-token",
          "proxy-configuration-watch-seconds",
          "proxy-pipeline-depth");

  private LiveProperties() {}

  /** What holds from now on: the wanted values of what can change, the running ones of the rest. */
  static ProxyProperties of(ProxyProperties running, ProxyProperties wanted) {
    return new ProxyProperties(
        wanted.sqlShow(),
        wanted.maxConnectionsSizePerQuery(),
        wanted.maxUnionSizePerDataSource(),
        running.frontendFlushThreshold(),
        running.frontendExecutorThreads(),
        running.defaultPort(),
        running.unixSocket(),
        running.nettyBacklog(),
        new Admin(running.admin().port(), running.admin().address(), wanted.admin().token()),
        wanted.mergeMaxRows(),
        running.ending(),
        wanted.relayEnabled(),
        running.transport(),
        running.serverVersion(),
        wanted.stageMaxRows(),
        wanted.stageMaxBytes(),
        wanted.stageTotalBytes(),
        wanted.stageDataSource(),
        wanted.atomicStatements(),
        running.deadlockCheckMilliseconds(),
        running.statementsPerConnection(),
        running.memory(),
        running.backendSilenceSeconds(),
        wanted.configurationWatchSeconds(),
        wanted.pipelineDepth(),
        running.clients(),
        of(running.statistics(), wanted.statistics()),
        running.tracing());
  }

  private static Statistics of(Statistics running, Statistics wanted) {
    return new Statistics(
        running.digests(),
        wanted.slowMilliseconds(),
        wanted.slowUsers(),
        wanted.slowDatabases(),
        running.slowFile(),
        running.slowForm(),
        wanted.slowPlans(),
        running.auditFile(),
        wanted.audited(),
        wanted.showsLiterals(),
        running.logBytes(),
        running.logFiles(),
        wanted.tellsOrigin());
  }

  /** The same of transactions. */
  static TransactionSettings of(TransactionSettings running, TransactionSettings wanted) {
    return new TransactionSettings(
        running.defaultType(), running.xa(), wanted.idleLimit(), wanted.longLimit());
  }

  /** Says of a change whether it waits for the next start. */
  static String told(String change) {
    return isLater(change) ? change + " (from the next start on)" : change;
  }

  private static boolean isLater(String change) {
    if (change.startsWith(PROPS)) {
      String key = change.substring(PROPS.length());
      return LIVE.stream()
          .noneMatch(live -> key.startsWith(live + ":") || key.startsWith(live + " "));
    }
    return change.startsWith(TRANSACTION) && !change.contains(LIMIT);
  }
}
