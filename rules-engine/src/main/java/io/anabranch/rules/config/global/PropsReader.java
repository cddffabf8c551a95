package io.anabranch.rules.config.global;

import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.MemoryLimits;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.ProxyProperties.Admin;
import io.anabranch.rules.model.ProxyProperties.Ending;
import io.anabranch.rules.secret.Secrets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code props} of the global file. */
final class PropsReader {

  /** Properties of ShardingSphere that change no answer and that this proxy does not need. */
  private static final String[] FLAGS_WITHOUT_EFFECT = {
    "sql-simple",
    "check-table-metadata-enabled",
    "check-duplicate-table-enabled",
    "agent-plugins-enabled",
    "proxy-hint-enabled",
    "proxy-meta-data-collector-enabled",
    "system-schema-metadata-assembly-enabled",
    "show-process-list-enabled",
    "proxy-opentracing-enabled",
    "persist-schemas-to-repository-enabled",
    "instance-connection-enabled",
    "sql-comment-parse-enabled",
    "lock-enabled",
    "data-source-aggregation-enabled",
    "system-schema-metadata-enabled"
  };

  private static final String[] NUMBERS_WITHOUT_EFFECT = {
    "kernel-executor-size",
    "load-table-metadata-batch-size",
    "proxy-backend-query-fetch-size",
    "cdc-server-port",
    "groovy-inline-expression-parsing-cache-max-size",
    "executor-size",
    "acceptor-size",
    "lock-wait-timeout-milliseconds"
  };

  private static final String AUTO = "auto";
  private static final int DEEPEST_PIPELINE = 64;
  private static final int PERCENT = 100;
  private static final long SECONDS_OF_A_DAY = 86_400;

  /** What an HTTP header can carry, and nobody guesses. */
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{16,}");

  private static final String UNNEEDED = "the proxy does not need it";

  private PropsReader() {}

  static ProxyProperties read(Section props, Secrets secrets) {
    ProxyProperties defaults = ProxyProperties.DEFAULTS;
    ProxyProperties properties =
        new ProxyProperties(
            props.flag("sql-show", defaults.sqlShow()),
            props.integer(
                "max-connections-size-per-query",
                defaults.maxConnectionsSizePerQuery(),
                1,
                Integer.MAX_VALUE),
            props.integer(
                "max-union-size-per-datasource",
                defaults.maxUnionSizePerDataSource(),
                1,
                Integer.MAX_VALUE),
            props.integer(
                "proxy-frontend-flush-threshold",
                defaults.frontendFlushThreshold(),
                1,
                Integer.MAX_VALUE),
            props.integer(
                "proxy-frontend-executor-size", defaults.frontendExecutorThreads(), 0, 1024),
            props.integer("proxy-default-port", defaults.defaultPort(), 1, 65_535),
            props.text("proxy-unix-socket", defaults.unixSocket()),
            props.integer("proxy-netty-backlog", defaults.nettyBacklog(), 1, Integer.MAX_VALUE),
            admin(props, secrets),
            props.number("proxy-merge-max-rows", defaults.mergeMaxRows(), 1, Long.MAX_VALUE),
            ending(props),
            props.flag("proxy-relay-enabled", defaults.relayEnabled()),
            choice(
                props, "proxy-transport", defaults.transport(), "auto", "epoll", "nio", "io_uring"),
            props.text("proxy-server-version", defaults.serverVersion()),
            props.number("proxy-stage-max-rows", defaults.stageMaxRows(), 0, Long.MAX_VALUE),
            props.number("proxy-stage-max-bytes", defaults.stageMaxBytes(), 1, Long.MAX_VALUE),
            props.number("proxy-stage-total-bytes", defaults.stageTotalBytes(), 1, Long.MAX_VALUE),
            props.text("proxy-stage-data-source", defaults.stageDataSource()),
            props.flag("proxy-atomic-statements", defaults.atomicStatements()),
            props.number(
                "proxy-deadlock-check-interval-milliseconds",
                defaults.deadlockCheckMilliseconds(),
                0,
                Integer.MAX_VALUE),
            props.integer(
                "proxy-prepared-statements-per-connection",
                defaults.statementsPerConnection(),
                1,
                65_536),
            memory(props),
            props.number(
                "proxy-backend-silence-seconds",
                defaults.backendSilenceSeconds(),
                0,
                Integer.MAX_VALUE),
            props.number(
                "proxy-configuration-watch-seconds",
                defaults.configurationWatchSeconds(),
                0,
                SECONDS_OF_A_DAY),
            pipelineDepth(props),
            new ClientPropsReader(props, secrets).read(),
            StatisticsPropsReader.read(props),
            TracingPropsReader.read(props, secrets));
    refuse(props);
    checkTransport(props, properties);
    ignore(props);
    props.close();
    return properties;
  }

  private static Ending ending(Section props) {
    Ending defaults = Ending.DEFAULTS;
    return new Ending(
        milliseconds(props, "proxy-lame-duck-milliseconds", defaults.lameDuckMilliseconds()),
        milliseconds(props, "proxy-drain-quiet-milliseconds", defaults.quietMilliseconds()),
        milliseconds(props, "proxy-drain-patience-milliseconds", defaults.patienceMilliseconds()),
        milliseconds(
            props,
            "proxy-drain-idle-transaction-milliseconds",
            defaults.idleTransactionMilliseconds()),
        milliseconds(props, "proxy-drain-timeout-milliseconds", defaults.timeoutMilliseconds()));
  }

  private static long milliseconds(Section props, String key, long otherwise) {
    return props.number(key, otherwise, 0, Integer.MAX_VALUE);
  }

  /** A number, or {@code auto}. */
  private static int pipelineDepth(Section props) {
    String key = "proxy-pipeline-depth";
    return AUTO.equalsIgnoreCase(props.text(key, AUTO))
        ? ProxyProperties.PIPELINE_AUTO
        : props.integer(key, 0, 0, DEEPEST_PIPELINE);
  }

  private static Admin admin(Section props, Secrets secrets) {
    props.assume("proxy-admin-token", "");
    return new Admin(
        props.integer("proxy-admin-port", Admin.DEFAULTS.port(), 0, 65_535),
        props.text("proxy-admin-address", Admin.DEFAULTS.address()),
        token(props.value("proxy-admin-token"), secrets));
  }

  /** An empty one, of a variable that is set to nothing for instance, is no wish for none. */
  private static String token(@Nullable Value value, Secrets secrets) {
    if (value == null) {
      return "";
    }
    int before = value.problems().count();
    String token = value.secret(secrets);
    if (token != null && TOKEN.matcher(token).matches()) {
      return token;
    }
    if (value.problems().count() == before) {
      value.error(
          "must be at least 16 characters without blanks",
          "make one with `openssl rand -hex 32`; without the key only this machine may change anything");
    }
    return "";
  }

  private static MemoryLimits memory(Section props) {
    MemoryLimits defaults = MemoryLimits.DEFAULTS;
    return new MemoryLimits(
        props.number("proxy-memory-heap-bytes", defaults.heapBytes(), 0, Long.MAX_VALUE / PERCENT),
        props.number(
            "proxy-memory-direct-bytes", defaults.directBytes(), 0, Long.MAX_VALUE / PERCENT),
        props.integer("proxy-memory-user-percent", defaults.userPercent(), 1, PERCENT),
        props.integer("proxy-memory-session-percent", defaults.sessionPercent(), 1, PERCENT));
  }

  private static void ignore(Section props) {
    for (String key : FLAGS_WITHOUT_EFFECT) {
      props.flag(key, false);
      props.ignored(key, UNNEEDED);
    }
    for (String key : NUMBERS_WITHOUT_EFFECT) {
      props.number(key, 0, Long.MIN_VALUE, Long.MAX_VALUE);
      props.ignored(key, UNNEEDED);
    }
    props.ignored("system-log-level", "logging is configured in logback.xml");
    props.ignored(
        "proxy-mysql-default-version", "set proxy-server-version for another version in greetings");
    props.ignored(
        "proxy-backend-driver-type", "connections are relayed, or read where rows must be merged");
    props.ignored("proxy-backend-executor-suitable", UNNEEDED);
    props.ignored("proxy-meta-data-collector-cron", UNNEEDED);
    props.ignored("proxy-instance-type", UNNEEDED);
    props.ignored("xa-transaction-manager-type", "XA is the proxy's own");
  }

  /** Netty hears nothing more of an io_uring channel that has moved to another event loop. */
  private static void checkTransport(Section props, ProxyProperties properties) {
    if (properties.transport().equals("io_uring") && properties.frontendExecutorThreads() != 1) {
      props
          .problems()
          .error(
              props.keyPlace("proxy-transport"),
              "io_uring works with one event loop only: connections cannot move between loops",
              "set proxy-frontend-executor-size: 1, or use epoll, which is as fast");
    }
  }

  /** Properties whose other values would promise what is not kept. */
  private static void refuse(Section props) {
    choice(props, "proxy-frontend-database-protocol-type", "MySQL", "MySQL", "");
    choice(props, "metadata-identifier-case-sensitivity", "AUTO", "AUTO", "INSENSITIVE");
    // the first releases of 5.0 say here what later ones say in `transaction` and in rules
    Value transactions = props.value("proxy-transaction-type");
    if (transactions != null && !"LOCAL".equalsIgnoreCase(transactions.text())) {
      transactions.error(
          "is not where the type of transactions is read from",
          "write transaction: { defaultType: XA } at the top of the file");
    }
    Value cipher = props.value("query-with-cipher-column");
    if (cipher != null && !cipher.flag(true)) {
      cipher.error("plain columns beside encrypted ones are not supported", "take the key away");
    }
    boolean isSwitchedOn =
        !choice(props, "sql-federation-type", "NONE", "NONE", "ORIGINAL", "ADVANCED")
            .equals("NONE");
    for (String key : List.of("sql-federation-type", "sql-federation-enabled")) {
      Value federation = props.value(key);
      if (federation != null && (key.endsWith("type") ? isSwitchedOn : federation.flag(false))) {
        federation.notice(
            "has no effect: what SQL federation does is done where a statement needs it", null);
      }
    }
  }

  private static String choice(Section props, String key, String otherwise, String... allowed) {
    props.assume(key, otherwise);
    Value value = props.value(key);
    String text = value == null ? null : value.isNull() ? "" : value.text();
    if (value == null || text == null) {
      return otherwise;
    }
    for (String each : allowed) {
      if (each.equalsIgnoreCase(text)) {
        return each;
      }
    }
    value.error("the value is not supported", "use " + allowed[0]);
    return otherwise;
  }
}
