package io.anabranch.rules.config.database;

import io.anabranch.rules.config.yaml.Place;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.secret.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One entry of {@code dataSources}. */
final class DataSourceReader {

  /** Properties of HikariCP whose values are milliseconds. */
  private static final List<String> POOL_TIMES =
      List.of(
          "keepaliveTime",
          "leakDetectionThreshold",
          "validationTimeout",
          "initializationFailTimeout");

  private static final List<String> POOL_TEXTS =
      List.of("connectionTestQuery", "connectionInitSql", "poolName", "transactionIsolation");

  private static final List<String> POOL_FLAGS =
      List.of("registerMbeans", "allowPoolSuspension", "isolateInternalQueries");

  /** Properties that must not be set past their keys. */
  private static final Map<String, String> OWN_KEYS =
      Map.of(
          "connectionTimeout", "connectionTimeoutMilliseconds",
          "idleTimeout", "idleTimeoutMilliseconds",
          "maxLifetime", "maxLifetimeMilliseconds",
          "maximumPoolSize", "maxPoolSize",
          "minimumIdle", "minPoolSize",
          "readOnly", "readOnly",
          "jdbcUrl", "url",
          "username", "username",
          "password", "password",
          "driverClassName", "driverClassName");

  private static final Set<String> DRIVERS =
      Set.of("org.mariadb.jdbc.Driver", "com.mysql.cj.jdbc.Driver", "com.mysql.jdbc.Driver");

  private static final Pattern PLACE =
      Pattern.compile(
          "jdbc:[a-z]+://(?<host>[^:/?,\\[\\]()]*)(:(?<port>[^/?,]*))?(?<behind>[/?]|$)");

  private static final Pattern FORM = Pattern.compile("jdbc:(mysql|mariadb)://");

  private static final Pattern BAD_ESCAPE = Pattern.compile("=[^&]*%(?![0-9A-Fa-f]{2})");

  private static final Pattern SOCKET = Pattern.compile("[?&]localSocket=([^&]*)");

  private static final Pattern HOSTS = Pattern.compile("jdbc:[a-z]+://[^/?()]*,");

  private static final Pattern SCHEMALESS = Pattern.compile("jdbc:[a-z]+://[^/]*/([?].*)?");

  private DataSourceReader() {}

  static DataSourceDefinition read(String name, Section section, Secrets secrets) {
    String url = url(section, secrets);
    String username = section.secret("username", secrets);
    String password = section.secret("password", secrets);
    long connectionTimeout =
        section.number("connectionTimeoutMilliseconds", 30_000, 250, Integer.MAX_VALUE);
    long idleTimeout = section.number("idleTimeoutMilliseconds", 60_000, 0, Long.MAX_VALUE);
    long maxLifetime = section.number("maxLifetimeMilliseconds", 1_800_000, 0, Long.MAX_VALUE);
    int before = section.problems().count();
    int maxPoolSize = section.integer("maxPoolSize", 50, 1, 100_000);
    int minPoolSize = section.integer("minPoolSize", 1, 0, 100_000);
    boolean isSized = section.problems().count() == before;
    boolean readOnly = section.flag("readOnly", false);
    checkDriver(section);
    poolClass(section);
    if (isSized && minPoolSize > maxPoolSize) {
      Place place = section.keyPlace(section.has("minPoolSize") ? "minPoolSize" : "maxPoolSize");
      section
          .problems()
          .error(place, "minPoolSize is greater than maxPoolSize " + maxPoolSize, null);
    }
    DataSourceDefinition definition =
        new DataSourceDefinition(
            name,
            url,
            username,
            password,
            connectionTimeout,
            idleTimeout,
            maxLifetime,
            maxPoolSize,
            minPoolSize,
            readOnly,
            poolProperties(section),
            BreakerReader.read(section),
            OverloadReader.read(section, maxPoolSize));
    section.close();
    return definition;
  }

  private static String url(Section section, Secrets secrets) {
    String written = section.required("url");
    Value value = section.value("url");
    String resolved = value == null || written.isEmpty() ? "" : value.secret(secrets);
    if (resolved == null) {
      return "";
    }
    String url = resolved.strip();
    if (value != null && !written.isEmpty() && url.isEmpty()) {
      value.error("what the URL refers to is empty", null);
    }
    String lower = url.toLowerCase(Locale.ROOT);
    boolean known = lower.startsWith("jdbc:mysql:") || lower.startsWith("jdbc:mariadb:");
    if (value != null && !url.isEmpty() && !known) {
      value.error("not a JDBC URL of MySQL or MariaDB", "write jdbc:mysql://host:port/schema");
    } else if (value != null && known) {
      checkForm(value, url);
      checkPlace(value, url);
    }
    return url;
  }

  /** Forms that the driver knows, and that mean what groups are for, or what is decided here. */
  private static void checkForm(Value value, String url) {
    if (!FORM.matcher(url).lookingAt()) {
      value.error(
          "not of the form jdbc:mysql://host:port/schema or jdbc:mariadb://host:port/schema",
          "name one server, in lower case; !READWRITE_SPLITTING is for several");
      return;
    }
    int query = url.indexOf('?');
    if (!HOSTS.matcher(url).lookingAt()
        && url.substring(0, query < 0 ? url.length() : query).indexOf(',') >= 0) {
      value.error("one host per data source", "use !READWRITE_SPLITTING for replicas");
    }
    if (query >= 0 && BAD_ESCAPE.matcher(url.substring(query)).find()) {
      value.error(
          "a percent sign in the parameters is not followed by two hexadecimal digits",
          "write %25 for the sign itself");
    }
    Matcher socket = SOCKET.matcher(url);
    if (socket.find() && !socket.group(1).startsWith("/") && !socket.group(1).startsWith("%2F")) {
      value.error("localSocket names no file from the root on", "write localSocket=/run/…");
    }
  }

  /** Host and port, where the URL names them in the plain way. */
  private static void checkPlace(Value value, String url) {
    Matcher place = PLACE.matcher(url);
    if (HOSTS.matcher(url).lookingAt()) {
      value.error("one host per data source", "use !READWRITE_SPLITTING for replicas");
    }
    if (!place.lookingAt()) {
      return;
    }
    if (!place.group("behind").equals("/") || SCHEMALESS.matcher(url).matches()) {
      value.error("the URL names no schema", "write jdbc:mysql://host:port/schema");
    }
    if (place.group("host").isEmpty()) {
      value.error("the URL has no host", "write jdbc:mysql://host:port/schema");
    }
    String port = place.group("port");
    if (port != null && (!port.matches("[0-9]{1,5}") || !isPort(Integer.parseInt(port)))) {
      // not quoted: what is taken for a port may be a password
      value.error("the port must be from 1 to 65535", "write jdbc:mysql://host:port/schema");
    }
  }

  private static boolean isPort(int number) {
    return number > 0 && number < 1 << 16;
  }

  /** Those that ShardingSphere's files name for MySQL and MariaDB: the proxy's own serves both. */
  private static void checkDriver(Section section) {
    Value value = section.value("driverClassName");
    String driver = value == null ? null : value.text();
    if (value != null && driver != null && !driver.isBlank() && !DRIVERS.contains(driver)) {
      value.error(
          "the driver '" + driver + "' is not supported",
          "remove the key: the proxy's own driver takes jdbc:mysql and jdbc:mariadb");
    }
  }

  private static void poolClass(Section section) {
    Value value = section.value("dataSourceClassName");
    String name = value == null ? null : value.text();
    boolean hikari =
        name == null
            || name.equalsIgnoreCase("Hikari")
            || name.equals("com.zaxxer.hikari.HikariDataSource");
    if (value != null && !hikari) {
      value.error("only HikariCP is supported as connection pool", "remove the key");
    }
  }

  private static Map<String, String> poolProperties(Section section) {
    Map<String, String> properties = new LinkedHashMap<>();
    Section custom = section.section("customPoolProps");
    if (custom == null) {
      return properties;
    }
    for (String name : POOL_TIMES) {
      if (custom.has(name)) {
        long lowest = name.equals("initializationFailTimeout") ? -1 : 0;
        properties.put(name, String.valueOf(custom.number(name, 0, lowest, Long.MAX_VALUE)));
      }
    }
    for (String name : POOL_FLAGS) {
      if (custom.has(name)) {
        properties.put(name, String.valueOf(custom.flag(name, false)));
      }
    }
    for (String name : POOL_TEXTS) {
      String text = custom.text(name);
      if (text != null) {
        properties.put(name, text);
      }
    }
    OWN_KEYS.forEach(
        (property, key) -> {
          if (custom.has(property)) {
            custom
                .problems()
                .error(custom.keyPlace(property), "has a key of its own", "use `" + key + "`");
          }
        });
    custom.close();
    return properties;
  }
}
