package io.anabranch.rules.model;

import io.anabranch.rules.model.protection.BreakerSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A data source as configured. Times in milliseconds.
 *
 * @param url JDBC URL, {@code jdbc:mysql:} or {@code jdbc:mariadb:}
 * @param customPoolProps HikariCP properties by their own names
 * @param breaker when it is given a rest; null: never
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
    @Nullable BreakerSettings breaker) {

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
        null);
  }

  /** The part of the URL that says which server: hosts and ports, as they are written there. */
  public String server() {
    String path = path();
    int slash = path.indexOf('/');
    return slash < 0 ? path : path.substring(0, slash);
  }

  /** The database that the URL names; empty if it names none. */
  public String schema() {
    String path = path();
    return path.substring(Math.min(path.length(), server().length() + 1));
  }

  /** The same server's other schema; no connection is kept open for it. */
  DataSourceDefinition withSchema(String schema) {
    int place = url.indexOf("://") + 3 + server().length() + 1;
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
        breaker);
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
