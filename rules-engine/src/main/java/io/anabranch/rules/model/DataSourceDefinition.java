package io.anabranch.rules.model;

import io.anabranch.rules.model.protection.BreakerSettings;
import io.anabranch.rules.model.protection.OverloadSettings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A data source as configured. Times in milliseconds.
 *
 * @param url JDBC URL, {@code jdbc:mysql:} or {@code jdbc:mariadb:}
 * @param customPoolProps HikariCP properties by their own names
 * @param breaker when it is given a rest; null: never
 * @param overload what it does where more is wanted of it than it can do
 */
public record DataSourceDefinition(
    String name,
    String url,
    String username,
    String password,
    long connectionTimeoutMilliseconds,
    long idleTimeoutMilliseconds,
    long maxLifetimeMilliseconds,
    int maxPoolSize,
    int minPoolSize,
    boolean readOnly,
    Map<String, String> customPoolProps,
    @Nullable BreakerSettings breaker,
    OverloadSettings overload) {

  private static final String LOCAL_SOCKET = "localSocket=";

  public DataSourceDefinition {
    customPoolProps = Map.copyOf(customPoolProps);
  }

  /** One that is never given a rest. */
  public DataSourceDefinition(
      String name,
      String url,
      String username,
      String password,
      long connectionTimeoutMilliseconds,
      long idleTimeoutMilliseconds,
      long maxLifetimeMilliseconds,
      int maxPoolSize,
      int minPoolSize,
      boolean readOnly,
      Map<String, String> customPoolProps) {
    this(
        name,
        url,
        username,
        password,
        connectionTimeoutMilliseconds,
        idleTimeoutMilliseconds,
        maxLifetimeMilliseconds,
        maxPoolSize,
        minPoolSize,
        readOnly,
        customPoolProps,
        null,
        OverloadSettings.NONE);
  }

  /** Which server: host and port as the URL has them, or the file of its socket. */
  public String server() {
    String socket = localSocket();
    return socket == null ? host() : socket;
  }

  /** The file of a socket of this machine, in the place of host and port; null: none is named. */
  public @Nullable String localSocket() {
    int query = url.indexOf('?');
    for (String parameter : url.substring(query + 1).split("&", -1)) {
      if (query >= 0 && parameter.startsWith(LOCAL_SOCKET)) {
        return URLDecoder.decode(
            parameter.substring(LOCAL_SOCKET.length()), StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  private String host() {
    String path = path();
    int slash = path.indexOf('/');
    return slash < 0 ? path : path.substring(0, slash);
  }

  /** The database that the URL names; empty if it names none. */
  public String schema() {
    String path = path();
    return path.substring(Math.min(path.length(), host().length() + 1));
  }

  /** The same server's other schema; no connection is kept open for it. */
  DataSourceDefinition withSchema(String schema) {
    int place = url.indexOf("://") + 3 + host().length() + 1;
    String rest = url.substring(Math.min(url.length(), place + schema().length()));
    return new DataSourceDefinition(
        name,
        url.substring(0, place) + schema + rest,
        username,
        password,
        connectionTimeoutMilliseconds,
        idleTimeoutMilliseconds,
        maxLifetimeMilliseconds,
        maxPoolSize,
        0,
        readOnly,
        customPoolProps,
        breaker,
        overload);
  }

  /** The URL without its scheme and parameters. */
  private String path() {
    int query = url.indexOf('?');
    String whole = query < 0 ? url : url.substring(0, query);
    return whole.substring(whole.indexOf("://") < 0 ? 0 : whole.indexOf("://") + 3);
  }

  /** Without passwords, which may be in the URL too. */
  @Override
  public String toString() {
    int end = url.indexOf('?');
    String address = url.substring(url.lastIndexOf('@', end < 0 ? url.length() : end) + 1);
    int query = address.indexOf('?');
    return "DataSourceDefinition["
        + name
        + ", "
        + (query < 0 ? address : address.substring(0, query))
        + ", user "
        + username
        + "]";
  }
}
