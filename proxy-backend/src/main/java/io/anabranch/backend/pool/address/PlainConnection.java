package io.anabranch.backend.pool.address;

import io.anabranch.rules.model.DataSourceDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Opens connections of their own: no pool, no relay, and a limit on each answer. */
public final class PlainConnection {

  private static final String[] TIMEOUTS = {"connectTimeout", "socketTimeout"};

  private PlainConnection() {}

  /**
   * Blocks.
   *
   * @param url of the definition
   * @param timeoutMilliseconds of connecting and of each answer
   * @throws SQLException also if no driver takes the URL
   */
  public static Connection open(
      DataSourceDefinition definition, BackendUrl url, long timeoutMilliseconds)
      throws SQLException {
    Properties properties = url.properties(definition, false);
    for (String timeout : TIMEOUTS) {
      properties.setProperty(timeout, Long.toString(timeoutMilliseconds));
    }
    Connection opened = connected(url, properties);
    if (opened == null) {
      throw new SQLException("the driver does not take " + url.place());
    }
    return opened;
  }

  private static @Nullable Connection connected(BackendUrl url, Properties properties)
      throws SQLException {
    var driver = new org.mariadb.jdbc.Driver();
    String file = url.socket();
    if (file == null) {
      return driver.connect(url.url(), properties);
    }
    properties.setProperty("socketFactory", LocalSocketFactory.class.getName());
    return ScopedValue.where(LocalSocketFactory.FILE, file)
        .call(() -> driver.connect(url.url(), properties));
  }
}
