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

  /** Without the password. */
  @Override
  public String toString() {
    return "DataSourceDefinition[" + name + ", " + url + ", user " + username + "]";
  }
}
