package io.anabranch.rules.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogicalDatabaseTest {

  private static final String SERVER = "jdbc:mysql://db.local:3306/";

  @Test
  void databasesOfOneServerAreBesideEachOtherIfTheServerCallsThemAlike() {
    LogicalDatabase shop = database("shop", SERVER + "shop_1?useSSL=false");
    assertThat(shop.isBeside(database("stock", SERVER + "stock"))).isTrue();
    assertThat(shop.isBeside(database("stock", SERVER + "stock_1"))).isFalse();
    assertThat(shop.isBeside(database("stock", "jdbc:mysql://db.local:3307/stock"))).isFalse();
    assertThat(shop.isBeside(database("stock", "jdbc:mysql://db.local:3306"))).isFalse();
  }

  @Test
  void shardedTablesAreNotBesideOthers() {
    LogicalDatabase broadcasts =
        new LogicalDatabase(
            "dict",
            Map.of("ds", source(SERVER + "dict")),
            Map.of(),
            Map.of(),
            Map.of("t", "t"),
            new SingleTables(List.of(), null));
    assertThat(database("shop", SERVER + "shop").isBeside(broadcasts)).isFalse();
    assertThat(broadcasts.isBeside(database("shop", SERVER + "shop"))).isFalse();
  }

  private static LogicalDatabase database(String name, String url) {
    return new LogicalDatabase(
        name,
        Map.of("ds", source(url)),
        Map.of(),
        Map.of(),
        Map.of(),
        new SingleTables(List.of(), null));
  }

  private static DataSourceDefinition source(String url) {
    return new DataSourceDefinition("ds", url, "u", "p", 1, 1, 1, 1, 0, false, Map.of());
  }
}
