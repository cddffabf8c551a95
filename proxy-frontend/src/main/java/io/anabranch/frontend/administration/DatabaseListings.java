package io.anabranch.frontend.administration;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.secret.SecretNames;
import io.anabranch.rules.table.SingleTableSearch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Data sources, groups and the tables that are not sharded. */
final class DatabaseListings {

  static final List<ResultColumn> STORAGE_UNITS =
      Columns.of(
          "name",
          "type",
          "host",
          "port",
          "db",
          "connection_timeout_milliseconds",
          "idle_timeout_milliseconds",
          "max_lifetime_milliseconds",
          "max_pool_size",
          "min_pool_size",
          "read_only",
          "other_attributes");

  static final List<ResultColumn> GROUPS =
      Columns.of(
          "name",
          "write_storage_unit_name",
          "read_storage_unit_names",
          "transactional_read_query_strategy",
          "load_balancer_type",
          "load_balancer_props");

  static final List<ResultColumn> BROADCAST = Columns.of("broadcast_table");
  static final List<ResultColumn> SINGLE = Columns.of("table_name", "storage_unit_name");
  static final List<ResultColumn> DEFAULT_SINGLE = Columns.of("storage_unit_name");
  static final List<ResultColumn> LOGICAL = Columns.of("table_name");

  private DatabaseListings() {}

  // ---------------------------------------------------------------- data sources

  /** All, or those that so many rules use. */
  static List<List<String>> storageUnits(Request request) {
    LogicalDatabase database = request.database();
    String usage = request.match().get("n");
    var rows = new ArrayList<List<String>>();
    for (DataSourceDefinition source : database.dataSources().values()) {
      int uses = RuleUsage.of(database, source.name()).size();
      if (usage == null || usage.equals(Integer.toString(uses))) {
        rows.add(row(source));
      }
    }
    return rows;
  }

  /** Without user and password. */
  private static List<String> row(DataSourceDefinition source) {
    String server = source.server().substring(source.server().lastIndexOf('@') + 1);
    int colon = server.lastIndexOf(':');
    boolean hasPort = colon > server.lastIndexOf(']');
    return List.of(
        source.name(),
        source.url().toLowerCase(Locale.ROOT).startsWith("jdbc:mariadb:") ? "MariaDB" : "MySQL",
        hasPort ? server.substring(0, colon) : server,
        hasPort ? server.substring(colon + 1) : source.localSocket() == null ? "3306" : "",
        source.schema(),
        Long.toString(source.connectionTimeoutMilliseconds()),
        Long.toString(source.idleTimeoutMilliseconds()),
        Long.toString(source.maxLifetimeMilliseconds()),
        Integer.toString(source.maxPoolSize()),
        Integer.toString(source.minPoolSize()),
        Boolean.toString(source.readOnly()),
        attributes(new TreeMap<>(source.customPoolProps())));
  }

  private static String attributes(Map<String, String> properties) {
    var shown = new StringJoiner(", ");
    properties.forEach(
        (key, value) ->
            shown.add(key + "=" + (SecretNames.isSecret(key) ? SecretNames.HIDDEN : value)));
    return shown.toString();
  }

  static List<List<String>> usage(Request request) {
    return RuleUsage.of(request.database(), request.given("unit"));
  }

  // ---------------------------------------------------------------- groups

  /** All, or the one that is asked for. */
  static List<List<String>> groups(Request request) {
    return request.database().groups().values().stream()
        .filter(group -> request.wants("group", group.name()))
        .map(DatabaseListings::row)
        .toList();
  }

  private static List<String> row(ReplicationGroup group) {
    var props = new TreeMap<String, String>();
    group.balancing().weights().forEach((name, weight) -> props.put(name, weight.toString()));
    props.putAll(group.balancing().zones());
    if (!group.balancing().localZone().isEmpty()) {
      props.put("local-zone", group.balancing().localZone());
    }
    Balancing.PlugIn plugIn = group.balancing().plugIn();
    if (plugIn != null) {
      props.putAll(plugIn.properties());
    }
    return List.of(
        group.name(),
        group.primary(),
        String.join(",", group.replicas()),
        group.transactionalReads().name(),
        group.balancing().type(),
        attributes(props));
  }

  // ---------------------------------------------------------------- tables

  static List<List<String>> broadcast(Request request) {
    return request.database().broadcastTables().values().stream().sorted().map(List::of).toList();
  }

  /**
   * Tables that have no rule of their own and are where the configuration looks for them, as the
   * databases tell now.
   */
  static List<List<String>> single(Request request) {
    Backend served = request.served();
    LogicalDatabase database = served.database();
    SchemaCatalog catalog = served.catalog();
    var search = new SingleTableSearch(database, catalog);
    Set<DataNode> nodes = new HashSet<>();
    for (ShardedTable table : database.shardedTables().values()) {
      nodes.addAll(table.nodes());
    }
    String like = request.match().get("pattern");
    var rows = new ArrayList<List<String>>();
    for (String endpoint : database.endpoints()) {
      for (String table : catalog.tableNames(endpoint)) {
        boolean isMeant =
            request.wants("table", table) && (like == null || LikePattern.matches(table, like));
        String key = table.toLowerCase(Locale.ROOT);
        if (isMeant
            && !nodes.contains(new DataNode(endpoint, table))
            && !database.shardedTables().containsKey(key)
            && !database.broadcastTables().containsKey(key)
            && search.looksIn(endpoint, table)) {
          rows.add(List.of(table, endpoint));
        }
      }
    }
    rows.sort((a, b) -> a.getFirst().compareTo(b.getFirst()));
    return rows;
  }

  /** As the file says; {@code RANDOM} is ShardingSphere's word for none. */
  static List<List<String>> defaultSingle(Request request) {
    Mapping rule = request.document().rule("SINGLE");
    String named = rule.shown("defaultDataSource");
    return List.of(List.of(named.isEmpty() ? "RANDOM" : named));
  }
}
