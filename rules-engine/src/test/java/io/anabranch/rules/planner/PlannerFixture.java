package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.model.protection.Protection;
import io.anabranch.rules.model.shadow.ShadowRule;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.routing.TestTables;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.value.SqlValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The shop of the planner tests: t_order and t_order_item, bound, 2 data sources × 2 tables by
 * user_id and order_id; t_log, automatic, by id; t_key, the same with generated keys; t_dict
 * everywhere; t_conf in ds_1 only; t_twice and t_chosen in both, of which t_chosen is listed for
 * ds_1.
 */
final class PlannerFixture {

  private static final List<String> ORDER =
      List.of("order_id", "user_id", "name", "kind", "amount");
  private static final List<String> ITEM = List.of("item_id", "order_id", "user_id", "count");

  private static final SingleTables SINGLE =
      new SingleTables(List.of("*.*", "ds_1.t_chosen"), null);

  final FakeCatalog catalog = new FakeCatalog(tables());
  final LogicalDatabase shop =
      new LogicalDatabase(
          "shop",
          sources("ds_0", "ds_1"),
          Map.of(),
          Map.of(
              "t_order", TestTables.twoLevels("t_order", 2, 2),
              "t_order_item", TestTables.twoLevels("t_order_item", 2, 2),
              "t_log", TestTables.oneLevel("t_log", 2, 4),
              "t_key", keyed()),
          Map.of("t_dict", "t_dict"),
          SINGLE);
  final LogicalDatabase plain =
      new LogicalDatabase(
          "plain",
          sources("ds_0"),
          Map.of(),
          Map.of(),
          Map.of(),
          new SingleTables(List.of(), null));

  /** Of the definitions that all planners here plan by. */
  private final DefinitionChanges changes = new DefinitionChanges();

  final StatementPlanner planner = under(Protection.NONE);

  /**
   * The shop with the columns {@code name}, and t_conf's {@code v}, encrypted, each in a column of
   * its own name.
   */
  LogicalDatabase encrypted() {
    Encryptor aes =
        new EncryptorCatalogue(List.of()).encryptor("AES", Map.of("aes-key-value", "test"));
    var tables = new HashMap<String, EncryptedTable>();
    for (String table : List.of("t_order", "t_log", "t_key", "t_dict", "t_conf")) {
      String column = table.equals("t_conf") ? "v" : "name";
      tables.put(
          table,
          new EncryptedTable(
              table, List.of(new EncryptedColumn(column, new Stored(column, aes), null, null))));
    }
    return new LogicalDatabase(
        shop.name(),
        shop.dataSources(),
        shop.groups(),
        shop.shardedTables(),
        shop.broadcastTables(),
        SINGLE,
        LogicalDatabase.KeyPolicy.DEFAULTS,
        LogicalDatabase.Creation.NONE,
        new EncryptRule(tables, "digest"),
        Masks.NONE,
        ShadowRule.NONE);
  }

  /** A database that is passed through, with the encrypted column {@code name} of t_log. */
  LogicalDatabase encryptedPlain() {
    var catalogue = new EncryptorCatalogue(List.of());
    var column =
        new EncryptedColumn(
            "name",
            new Stored(
                "name_cipher",
                catalogue.encryptor("AES_GCM", Map.of("key-id", "a", "key-value-a", "test"))),
            new Stored("name_hash", catalogue.encryptor("MD5", Map.of())),
            null);
    return new LogicalDatabase(
        "plain",
        sources("ds_0"),
        Map.of(),
        Map.of(),
        Map.of(),
        new SingleTables(List.of(), null),
        LogicalDatabase.KeyPolicy.DEFAULTS,
        LogicalDatabase.Creation.NONE,
        new EncryptRule(Map.of("t_log", new EncryptedTable("t_log", List.of(column))), "digest"),
        Masks.NONE,
        ShadowRule.NONE);
  }

  /** As t_log, with a generator of the keys 101, 102, …. */
  private static ShardedTable keyed() {
    ShardedTable table = TestTables.oneLevel("t_key", 2, 4);
    var keys = new AtomicLong(100);
    return new ShardedTable(
        table.name(),
        table.nodes(),
        table.databaseStrategy(),
        table.tableStrategy(),
        new ShardedTable.KeyGeneration("id", () -> new SqlValue.Int(keys.incrementAndGet())),
        -1);
  }

  private static Map<String, Map<String, List<String>>> tables() {
    var tables = new HashMap<String, Map<String, List<String>>>();
    for (ShardedTable table :
        List.of(
            TestTables.twoLevels("t_order", 2, 2),
            TestTables.twoLevels("t_order_item", 2, 2),
            TestTables.oneLevel("t_log", 2, 4),
            keyed())) {
      for (var node : table.nodes()) {
        List<String> columns =
            switch (table.name()) {
              case "t_order" -> ORDER;
              case "t_order_item" -> ITEM;
              default -> List.of("id", "name");
            };
        tables
            .computeIfAbsent(node.dataSource(), source -> new HashMap<>())
            .put(node.table(), columns);
      }
    }
    tables.values().forEach(source -> source.put("t_dict", List.of("code", "name")));
    tables.values().forEach(source -> source.put("t_twice", List.of("id")));
    tables.values().forEach(source -> source.put("t_chosen", List.of("id")));
    tables.getOrDefault("ds_1", new HashMap<>()).put("t_conf", List.of("k", "v"));
    return tables;
  }

  private static Map<String, DataSourceDefinition> sources(String... names) {
    var sources = new LinkedHashMap<String, DataSourceDefinition>();
    for (String name : names) {
      sources.put(
          name,
          new DataSourceDefinition(
              name, "jdbc:mariadb://localhost/x", "u", "p", 1, 1, 1, 1, 1, false, Map.of()));
    }
    return sources;
  }

  Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  /** The same with query rules. */
  StatementPlanner under(Protection protection) {
    return over(Map.of("shop", shop, "plain", plain), protection);
  }

  /** Over a database of its own. */
  StatementPlanner over(LogicalDatabase database) {
    return over(Map.of(database.name(), database), Protection.NONE);
  }

  private StatementPlanner over(Map<String, LogicalDatabase> databases, Protection protection) {
    return new StatementPlanner(
        new RuleSet(
            1,
            databases,
            new Authority(List.of(), true, Map.of()),
            ProxyProperties.DEFAULTS,
            TransactionSettings.DEFAULTS,
            protection),
        any -> catalog,
        changes);
  }

  StatementPlan plan(String sql) {
    return planner.plan(scan(sql), scope());
  }

  PlanScope scope() {
    return new PlanScope(shop, UTF_8, false, false);
  }

  BoundPlan bind(String sql) {
    return bind(plan(sql), sql);
  }

  private BoundPlan bind(StatementPlan plan, String sql) {
    return plan.bind(new TextSlotValues().over(scan(sql), UTF_8, LexerMode.DEFAULT));
  }

  String printed(String sql) {
    StatementPlan plan = plan(sql);
    return PlanPrinter.print(plan, bind(plan, sql));
  }
}
