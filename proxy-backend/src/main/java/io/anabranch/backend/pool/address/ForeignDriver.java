package io.anabranch.backend.pool.address;

import io.anabranch.rules.model.DataSourceDefinition;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Opens connections by the driver that a data source names, from {@code ext-lib}. */
public final class ForeignDriver {

  private ForeignDriver() {}

  /**
   * Blocks.
   *
   * @throws SQLException also if there is no such driver, or it does not take the URL
   */
  public static Connection connect(DataSourceDefinition of, String url, Properties properties)
      throws SQLException {
    String name = of.driverClassName();
    if (name == null) {
      return DriverManager.getConnection(url, properties);
    }
    Driver driver = registered(name);
    if (driver == null) {
      throw new SQLException(
          "there is no driver "
              + name
              + " in ext-lib: put its jar there, or leave out driverClassName");
    }
    Connection connection = driver.connect(url, properties);
    if (connection == null) {
      throw new SQLException("the driver " + name + " does not take " + url);
    }
    return connection;
  }

  private static @Nullable Driver registered(String name) {
    return DriverManager.drivers()
        .filter(each -> each.getClass().getName().equals(name))
        .findFirst()
        .orElse(null);
  }
}
