package io.anabranch.backend.pool.address;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.model.DataSourceDefinition;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ForeignDriverTest {

  private static DataSourceDefinition definition(String driver) {
    return new DataSourceDefinition(
        "ds", "jdbc:other:db", "u", "p", driver, 1000, 1000, 1000, 1, 1, false, Map.of());
  }

  @Test
  void saysWhichDriverIsMissingAndWhereItBelongs() {
    assertThatThrownBy(
            () -> ForeignDriver.connect(definition("foo.Bar"), "jdbc:other:db", new Properties()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("foo.Bar")
        .hasMessageContaining("ext-lib");
  }

  @Test
  void saysWhenTheDriverIsForOtherUrls() {
    assertThatThrownBy(
            () ->
                ForeignDriver.connect(
                    definition("org.mariadb.jdbc.Driver"), "jdbc:other:db", new Properties()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("does not take");
  }
}
