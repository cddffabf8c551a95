package io.anabranch.rules.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A data source as configured. Times in milliseconds.
 *
 * @param url JDBC URL, {@code jdbc:mysql:} or {@code jdbc:mariadb:}
 * @param driverClassName null: the MariaDB driver that ships with the proxy
 * @param customPoolProps HikariCP properties by their own names
 */
public record DataSourceDefinition(
    String name,
    String url,
    String username,
    String password,
    @Nullable String driverClassName,
    long connectionTimeoutMilliseconds,
    long idleTimeoutMilliseconds,
    long maxLifetimeMilliseconds,
    int maxPoolSize,
    int minPoolSize,
    boolean readOnly,
    Map<String, String> customPoolProps) {

  public DataSourceDefinition {
    customPoolProps = Map.copyOf(customPoolProps);
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
