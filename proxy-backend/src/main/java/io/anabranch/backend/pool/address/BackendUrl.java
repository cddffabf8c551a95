package io.anabranch.backend.pool.address;

import io.anabranch.rules.model.DataSourceDefinition;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A data source's JDBC URL as the driver gets it. Parameters of MySQL Connector/J are translated;
 * those that only shape how Java programs see values mean nothing here; what is left is {@link
 * #ignored}.
 *
 * @param url for the MariaDB driver
 * @param socket the file of a socket of this machine, in the place of host and port; null: none
 * @param options what the URL asks the driver for, by the MariaDB driver's names
 * @param ignored parameters without effect that an operator may want to know of
 */
public record BackendUrl(
    String url, @Nullable String socket, Map<String, String> options, Set<String> ignored) {

  /** Both drivers know them by the same name. */
  private static final Set<String> SAME =
      Set.of(
          "connectTimeout",
          "socketTimeout",
          "allowPublicKeyRetrieval",
          "serverRsaPublicKeyFile",
          "restrictedAuth",
          "serverSslCert",
          "trustStore",
          "trustStorePassword",
          "trustStoreType",
          "keyStore",
          "keyStorePassword",
          "keyStoreType",
          "enabledSslCipherSuites",
          "enabledSslProtocolSuites");

  private static final Map<String, String> RENAMED =
      Map.of(
          "trustCertificateKeyStoreUrl", "trustStore",
          "trustCertificateKeyStorePassword", "trustStorePassword",
          "trustCertificateKeyStoreType", "trustStoreType",
          "clientCertificateKeyStoreUrl", "keyStore",
          "clientCertificateKeyStorePassword", "keyStorePassword",
          "clientCertificateKeyStoreType", "keyStoreType",
          "serverRSAPublicKeyFile", "serverRsaPublicKeyFile",
          "tlsCiphersuites", "enabledSslCipherSuites",
          "tlsVersions", "enabledSslProtocolSuites");

  /** Decided by the proxy, or about Java values, caches and batches of the driver: no log line. */
  private static final Set<String> MEANINGLESS =
      Set.of(
          "serverTimezone",
          "connectionTimeZone",
          "useUnicode",
          "characterEncoding",
          "useAffectedRows",
          "rewriteBatchedStatements",
          "allowMultiQueries",
          "useServerPrepStmts",
          "cachePrepStmts",
          "prepStmtCacheSize",
          "prepStmtCacheSqlLimit",
          "useLocalSessionState",
          "useLocalTransactionState",
          "cacheResultSetMetadata",
          "cacheServerConfiguration",
          "elideSetAutoCommits",
          "maintainTimeStats",
          "netTimeoutForStreamingResults",
          "zeroDateTimeBehavior",
          "tinyInt1isBit",
          "yearIsDateType",
          "nullCatalogMeansCurrent",
          "nullDatabaseMeansCurrent",
          "autoReconnect",
          "failOverReadOnly",
          "useInformationSchema",
          "useOldAliasMetadataBehavior",
          "useLegacyDatetimeCode",
          "useJDBCCompliantTimezoneShift",
          "localSocket",
          "tcpKeepAlive",
          "tcpNoDelay",
          "useCursorFetch",
          "defaultFetchSize",
          "permitMysqlScheme",
          "useSSL",
          "requireSSL",
          "verifyServerCertificate",
          "sslMode");

  /**
   * @throws IllegalArgumentException for a URL that no supported driver takes
   */
  public static BackendUrl of(DataSourceDefinition definition) {
    String url = definition.url();
    int authority = url.indexOf("://");
    String scheme = authority < 0 ? url : url.substring(0, authority);
    if (!scheme.equals("jdbc:mysql") && !scheme.equals("jdbc:mariadb")) {
      throw new IllegalArgumentException(
          "data source '"
              + definition.name()
              + "': only jdbc:mysql://host:port/database and jdbc:mariadb://host:port/database"
              + " are supported");
    }
    int question = url.indexOf('?');
    String place = url.substring(authority + 3, question < 0 ? url.length() : question);
    if (place.indexOf(',') >= 0) {
      throw new IllegalArgumentException(
          "data source '"
              + definition.name()
              + "': one host per data source; use a read/write group for replicas");
    }
    var given = parameters(question < 0 ? "" : url.substring(question + 1));
    var options = new LinkedHashMap<String, String>();
    var ignored = new TreeSet<String>();
    for (Map.Entry<String, String> parameter : given.entrySet()) {
      String name = parameter.getKey();
      if (SAME.contains(name)) {
        options.put(name, parameter.getValue());
      } else if (RENAMED.containsKey(name)) {
        options.put(RENAMED.get(name), parameter.getValue());
      } else if (!MEANINGLESS.contains(name)) {
        ignored.add(name);
      }
    }
    String tls = tls(given);
    options.put("sslMode", tls == null ? "disable" : tls);
    return new BackendUrl("jdbc:mariadb://" + place, definition.localSocket(), options, ignored);
  }

  /**
   * Host, port and schema, as they are written; without what may stand in front of them. Or the
   * file of a socket.
   */
  public String place() {
    if (socket != null) {
      return socket;
    }
    int question = url.indexOf('?');
    String bare = question < 0 ? url : url.substring(0, question);
    int authority = bare.indexOf("://");
    String place = authority < 0 ? bare : bare.substring(authority + 3);
    return place.substring(place.lastIndexOf('@') + 1);
  }

  /** Host and port, or the file of a socket: the same for all schemas of a server. */
  public String server() {
    String place = place();
    if (socket != null) {
      return place;
    }
    int slash = place.indexOf('/');
    return slash < 0 ? place : place.substring(0, slash);
  }

  private static Map<String, String> parameters(String query) {
    var parameters = new LinkedHashMap<String, String>();
    int from = 0;
    while (from < query.length()) {
      int end = query.indexOf('&', from);
      String pair = query.substring(from, end < 0 ? query.length() : end);
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(
            pair.substring(0, equals),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
      from = end < 0 ? query.length() : end + 1;
    }
    return parameters;
  }

  /** The MariaDB driver's {@code sslMode}; null for none. PREFERRED goes without. */
  private static @Nullable String tls(Map<String, String> given) {
    String mode = given.get("sslMode");
    if (mode != null) {
      return switch (mode.toUpperCase(Locale.ROOT).replace('-', '_')) {
        case "DISABLE", "DISABLED", "PREFERRED" -> null;
        case "REQUIRED", "TRUST" -> "trust";
        case "VERIFY_CA" -> "verify-ca";
        default -> "verify-full";
      };
    }
    if (!isTrue(given, "useSSL") && !isTrue(given, "requireSSL")) {
      return null;
    }
    return isTrue(given, "verifyServerCertificate") ? "verify-ca" : "trust";
  }

  private static boolean isTrue(Map<String, String> given, String name) {
    return Boolean.parseBoolean(given.get(name));
  }

  /**
   * What the driver is called with, so that a connection is a plain session: nothing pipelined or
   * bundled behind our back, no session variables. Files are negotiated for the relay's clients.
   */
  public Properties properties(DataSourceDefinition definition, boolean foundRows) {
    var properties = new Properties();
    properties.setProperty("user", definition.username());
    properties.setProperty("password", definition.password());
    properties.putAll(options);
    properties.setProperty("useAffectedRows", Boolean.toString(!foundRows));
    for (String off :
        new String[] {
          "allowMultiQueries",
          "autoReconnect",
          "cachePrepStmts",
          "createDatabaseIfNotExist",
          "enableBulkUnitResult",
          "jdbcCompliantTruncation",
          "permitRedirect",
          "returnMultiValuesGeneratedIds",
          "rewriteBatchedStatements",
          "transactionReplay",
          "useBulkStmtsForInserts",
          "useCompression",
          "useReadAheadInput"
        }) {
      properties.setProperty(off, "false");
    }
    // the driver itself never loads one: asked over its own commands, it would read the proxy's
    // files
    properties.setProperty("allowLocalInfile", "true");
    // negotiated for the relay's clients; the driver itself runs no batches and prepares nothing
    properties.setProperty("useBulkStmts", "true");
    properties.setProperty("enableSkipMeta", "true");
    properties.setProperty("useServerPrepStmts", "true");
    return properties;
  }
}
