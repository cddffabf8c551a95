package io.anabranch.rules.config.global;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.cluster.ClusterRepository;
import io.anabranch.rules.secret.Secrets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The key {@code mode} of the global file. */
final class ModeReader {

  /** So often a proxy tells of itself, at least, before others may count it as gone. */
  private static final int BEATS = 4;

  private static final String WAY_OUT =
      "use the type JDBC, whose tables any database can keep, or ZooKeeper";
  private static final List<String> ELSEWHERE = List.of("Etcd", "Consul");
  private static final List<String> MODES = List.of("Standalone", "Cluster");
  private static final String NAMESPACE =
      "[A-Za-z0-9_.-]{1," + ClusterRepository.MAX_NAMESPACE + "}";

  private static final String SERVERS =
      "\\s*[^\\s,:/]+:[0-9]{1,5}(\\s*,\\s*[^\\s,:/]+:[0-9]{1,5})*\\s*";

  private final Section mode;
  private final Secrets secrets;

  ModeReader(Section mode, Secrets secrets) {
    this.mode = mode;
    this.secrets = secrets;
  }

  /** Null for a proxy by itself, and for what is told as a problem. */
  @Nullable ClusterRepository read() {
    Value type = mode.value("type");
    String name = type == null ? null : type.text();
    Section repository = mode.section("repository");
    ClusterRepository read = null;
    if (type == null || name == null || name.equalsIgnoreCase("Standalone")) {
      skip(repository);
    } else if (!name.equalsIgnoreCase("Cluster")) {
      type.error("unknown mode " + name, NearestName.suggestion(name, MODES));
      skip(repository);
    } else if (repository == null) {
      type.error("a cluster needs a repository", "add mode.repository, of type JDBC");
    } else {
      read = repository(repository);
    }
    mode.close();
    return read;
  }

  private static void skip(@Nullable Section repository) {
    if (repository != null) {
      repository.text("type");
      repository.properties("props");
      repository.close();
    }
  }

  private @Nullable ClusterRepository repository(Section repository) {
    Value type = repository.value("type");
    String name = repository.required("type");
    Section props = repository.section("props");
    ClusterRepository read = null;
    boolean isZooKeeper = name.equalsIgnoreCase("ZooKeeper");
    if (type == null || (!isZooKeeper && !name.equalsIgnoreCase("JDBC"))) {
      refuse(type, name);
      skip(repository);
      return null;
    }
    if (props == null) {
      repository.error("the key `props` is missing", "it says where the registry is");
    } else {
      read = isZooKeeper ? zooKeeper(props) : jdbc(props);
    }
    repository.close();
    return read;
  }

  private static void refuse(@Nullable Value type, String name) {
    if (type == null || name.isEmpty()) {
      return;
    }
    if (ELSEWHERE.stream().anyMatch(name::equalsIgnoreCase)) {
      type.error("the repository " + name + " is not supported yet", WAY_OUT);
    } else {
      type.error("unknown repository " + name, WAY_OUT);
    }
  }

  private static String namespace(Section props) {
    String namespace = props.text("namespace", "anabranch");
    Value named = props.value("namespace");
    if (named != null && !namespace.matches(NAMESPACE)) {
      named.error(
          "must be 1 to " + ClusterRepository.MAX_NAMESPACE + " letters, digits, '_', '.' or '-'",
          null);
    }
    return namespace;
  }

  /** With ShardingSphere's names and defaults. */
  private ClusterRepository zooKeeper(Section props) {
    String servers = props.required("server-lists");
    Value written = props.value("server-lists");
    if (written != null && !servers.isEmpty() && !servers.matches(SERVERS)) {
      written.error("is no list of servers", "write host:port, between commas");
    }
    var read =
        new ClusterRepository.ZooKeeper(
            namespace(props),
            servers.replaceAll("\\s", ""),
            props.secret("digest", secrets),
            props.integer("maxRetries", 3, 0, 100),
            props.number("retryIntervalMilliseconds", 500, 50, 60_000),
            props.number("operationTimeoutMilliseconds", 500, 100, 60_000),
            props.integer("timeToLiveSeconds", 60, 2, 3600));
    props.close();
    return read;
  }

  private ClusterRepository jdbc(Section props) {
    String url = url(props);
    String namespace = namespace(props);
    long timeout = props.number("operationTimeoutMilliseconds", 2000, 100, 60_000);
    var source =
        new DataSourceDefinition(
            "mode.repository",
            url,
            props.secret("username", secrets),
            props.secret("password", secrets),
            timeout,
            0,
            0,
            1,
            0,
            false,
            Map.of());
    if (!url.isEmpty() && source.schema().isEmpty()) {
      Value written = props.value("jdbc_url");
      if (written != null) {
        written.error("names no database", "write jdbc:mysql://host:port/database");
      }
    }
    props.ignored("provider", "the proxy's tables are the same on MySQL and MariaDB");
    long interval = props.number("retryIntervalMilliseconds", 500, 50, 60_000);
    int timeToLive = props.integer("timeToLiveSeconds", 10, 2, 3600);
    checkBeats(props, interval, timeToLive);
    var read = new ClusterRepository.Jdbc(namespace, source, interval, timeout, timeToLive);
    props.close();
    return read;
  }

  /** Who looks too seldom would be counted as gone between two looks, and come back with each. */
  private static void checkBeats(Section props, long interval, int timeToLive) {
    Value lives = props.value("timeToLiveSeconds");
    Value looks = props.value("retryIntervalMilliseconds");
    Value written = lives == null ? looks : lives;
    if (written != null && interval * BEATS > timeToLive * 1000L) {
      written.error(
          "a proxy tells of itself every "
              + interval
              + " ms (retryIntervalMilliseconds) and is counted as gone after "
              + timeToLive
              + " s (timeToLiveSeconds)",
          "give it the time of at least " + BEATS + " intervals");
    }
  }

  private String url(Section props) {
    String written = props.required("jdbc_url");
    Value value = props.value("jdbc_url");
    String url = value == null || written.isEmpty() ? null : value.secret(secrets);
    if (value == null || url == null) {
      return "";
    }
    String lower = url.toLowerCase(Locale.ROOT);
    if (!lower.startsWith("jdbc:mysql://") && !lower.startsWith("jdbc:mariadb://")) {
      value.error("not a JDBC URL of MySQL or MariaDB", "write jdbc:mysql://host:port/database");
      return "";
    }
    return url.strip();
  }
}
