package io.anabranch.rules.config;

import io.anabranch.rules.model.ProxyProperties;
import org.jspecify.annotations.Nullable;

/** {@code props} of the global file. */
final class PropsReader {

  /** Properties of ShardingSphere that change no answer and that this proxy does not need. */
  private static final String[] WITHOUT_EFFECT = {
    "sql-simple",
    "kernel-executor-size",
    "check-table-metadata-enabled",
    "load-table-metadata-batch-size",
    "proxy-backend-query-fetch-size",
    "cdc-server-port",
    "agent-plugins-enabled",
    "groovy-inline-expression-parsing-cache-max-size",
    "system-log-level",
    "proxy-hint-enabled"
  };

  private PropsReader() {}

  static ProxyProperties read(@Nullable Section props) {
    ProxyProperties defaults = ProxyProperties.DEFAULTS;
    if (props == null) {
      return defaults;
    }
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
            props.integer("proxy-netty-backlog", defaults.nettyBacklog(), 1, Integer.MAX_VALUE),
            props.integer("proxy-admin-port", defaults.adminPort(), 0, 65_535),
            props.number("proxy-merge-max-rows", defaults.mergeMaxRows(), 1, Long.MAX_VALUE),
            props.number(
                "proxy-drain-timeout-milliseconds",
                defaults.drainTimeoutMilliseconds(),
                0,
                Integer.MAX_VALUE),
            props.flag("proxy-relay-enabled", defaults.relayEnabled()),
            choice(
                props, "proxy-transport", defaults.transport(), "auto", "epoll", "nio", "io_uring"),
            props.text("proxy-server-version", defaults.serverVersion()),
            props.number("proxy-stage-max-rows", defaults.stageMaxRows(), 0, Long.MAX_VALUE),
            props.number("proxy-stage-max-bytes", defaults.stageMaxBytes(), 1, Long.MAX_VALUE),
            props.text("proxy-stage-data-source", defaults.stageDataSource()),
            new ClientPropsReader(props).read());
    refuse(props);
    for (String key : WITHOUT_EFFECT) {
      props.ignored(key, "the proxy does not need it");
    }
    props.close();
    return properties;
  }

  /** Properties whose other values would promise what is not kept. */
  private static void refuse(Section props) {
    choice(props, "proxy-frontend-database-protocol-type", "MySQL", "MySQL", "");
    choice(props, "metadata-identifier-case-sensitivity", "AUTO", "AUTO", "INSENSITIVE");
    choice(props, "sql-federation-type", "NONE", "NONE");
  }

  private static String choice(Section props, String key, String otherwise, String... allowed) {
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
