package io.anabranch.app;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.cluster.Cluster;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.MariaDbServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A proxy in this JVM on a free port. Users: {@code app}/{@code app-secret}, all rights. With
 * {@code -Dpipeline=8} reads of sessions share connections in all tests that do not say otherwise.
 */
public final class RunningProxy implements AutoCloseable {

  public static final String USER = "app";
  public static final String PASSWORD = "app-secret";

  private static final String PIPELINE = "proxy-pipeline-depth";

  /** Relative to it are the names of certificates. */
  static final Path CONFIGURATION =
      Path.of("target", "proxy-conf-" + ProcessHandle.current().pid());

  private final Assembly assembly;

  private RunningProxy(Assembly assembly) {
    this.assembly = assembly;
  }

  /**
   * @param properties lines of {@code props}, each {@code key: value}
   * @param databases texts of database files
   */
  public static RunningProxy start(List<String> properties, String... databases) {
    return startWith("", properties, databases);
  }

  /**
   * @param sections further keys of the global file
   */
  public static RunningProxy startWith(
      String sections, List<String> properties, String... databases) {
    var global =
        new StringBuilder(
            """
            authority:
              users:
                - { user: "%s@%%", password: %s, admin: true }
                - { user: "narrow@%%", password: narrow-secret }
              privilege:
                type: DATABASE_PERMITTED
                props: { user-database-mappings: "app@%%=*, narrow@%%=nothing" }
            props:
              proxy-admin-port: 0
              proxy-frontend-executor-size: 2
              proxy-drain-quiet-milliseconds: 0
            """
                .formatted(USER, PASSWORD));
    properties.forEach(line -> global.append("  ").append(line).append('\n'));
    Integer depth = Integer.getInteger("pipeline");
    if (depth != null && properties.stream().noneMatch(line -> line.startsWith(PIPELINE))) {
      global.append("  ").append(PIPELINE).append(": ").append(depth).append('\n');
    }
    global.append(sections);
    return startWith(global.toString(), databases);
  }

  /**
   * @param global text of {@code global.yaml}
   */
  static RunningProxy startWith(String global, String... databases) {
    var texts = new ArrayList<ConfigurationText>();
    texts.add(new ConfigurationText("global.yaml", global));
    for (int i = 0; i < databases.length; i++) {
      texts.add(new ConfigurationText("database-" + i + ".yaml", databases[i]));
    }
    ConfigurationLoader loader = InstalledAlgorithms.loader();
    return startWith(loader, loader.load(texts), CONFIGURATION);
  }

  /**
   * @param folder whose files are read as they are
   */
  static RunningProxy startFrom(Path folder) {
    ConfigurationLoader loader = InstalledAlgorithms.loader();
    return startWith(loader, loader.load(folder), folder);
  }

  private static RunningProxy startWith(
      ConfigurationLoader loader, Configuration own, Path folder) {
    try {
      Cluster cluster = Main.cluster(own, folder);
      return new RunningProxy(
          Assembly.start(
              loader,
              cluster == null ? own : Main.join(cluster, own, loader),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              null,
              folder,
              cluster));
    } catch (StartException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** A data source's line for a database file. */
  public static String source(String name, DatabaseServer server, String schema) {
    return "  %s: { url: \"%s\", username: %s, password: %s, maxPoolSize: 10, minPoolSize: 1, connectionTimeoutMilliseconds: 3000 }\n"
        .formatted(name, server.url(schema), MariaDbServer.USER, MariaDbServer.PASSWORD);
  }

  /** A database file that passes all statements through to one schema, and is called like it. */
  public static String passThrough(String schema, DatabaseServer server) {
    return "databaseName: "
        + schema
        + "\ndataSources:\n"
        + source("ds_0", server, schema)
        + "rules: []\n";
  }

  /** Puts another configuration in force. */
  ConfigurationControl configuration() {
    return assembly.configuration();
  }

  /** What clients make it keep. */
  public MemoryBudget memory() {
    return assembly.memory();
  }

  public int port() {
    return assembly.address().getPort();
  }

  /** With the MariaDB driver. */
  public Connection connect(String database, String... options) throws SQLException {
    return Driver.MARIADB.connect(port(), database, USER, PASSWORD, options);
  }

  @Override
  public void close() {
    assembly.close();
  }

  /** The JDBC drivers that tests use as clients. */
  public enum Driver {
    MARIADB("jdbc:mariadb:"),
    MYSQL("jdbc:mysql:");

    private final String scheme;

    Driver(String scheme) {
      this.scheme = scheme;
    }

    public Connection connect(
        int port, String database, String user, String password, String... options)
        throws SQLException {
      var properties = new Properties();
      properties.setProperty("user", user);
      properties.setProperty("password", password);
      properties.setProperty("allowPublicKeyRetrieval", "true");
      if (this == MYSQL) {
        properties.setProperty("sslMode", "DISABLED");
      }
      for (String option : options) {
        int equals = option.indexOf('=');
        properties.setProperty(option.substring(0, equals), option.substring(equals + 1));
      }
      return DriverManager.getConnection(
          scheme + "//127.0.0.1:" + port + "/" + database, properties);
    }

    /** Options that make prepared statements use the binary protocol. */
    public String[] serverPrepare() {
      return this == MARIADB
          ? new String[] {"useServerPrepStmts=true"}
          : new String[] {"useServerPrepStmts=true", "cachePrepStmts=false"};
    }
  }
}
