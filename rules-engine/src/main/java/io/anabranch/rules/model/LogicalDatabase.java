package io.anabranch.rules.model;

import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.model.shadow.ShadowRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One logical database: one YAML file, checked and resolved. Immutable; compared by identity.
 *
 * <p>Table names are keys in lower case; look up with {@code toLowerCase(Locale.ROOT)}.
 */
public final class LogicalDatabase {

  /** In lower case. */
  private static final Set<String> OF_SERVERS =
      Set.of("information_schema", "mysql", "performance_schema", "sys");

  private final String name;
  private final Map<String, DataSourceDefinition> dataSources;
  private final Map<String, ReplicationGroup> groups;
  private final Map<String, ShardedTable> shardedTables;
  private final Map<String, String> broadcastTables;
  private final SingleTables single;
  private final KeyPolicy keyPolicy;
  private final Creation creation;
  private final EncryptRule encryption;
  private final Masks masks;
  private final ShadowRule shadow;
  private final List<String> endpoints;
  private final boolean passThrough;
  private final Map<String, ShardedTable> setAside;
  private final Map<String, String> ruledNames;
  private final Map<String, EncryptedTable> encryptedParts;
  private final Set<String> shardingColumns;

  public LogicalDatabase(
      String name,
      Map<String, DataSourceDefinition> dataSources,
      Map<String, ReplicationGroup> groups,
      Map<String, ShardedTable> shardedTables,
      Map<String, String> broadcastTables,
      SingleTables single,
      KeyPolicy keyPolicy,
      Creation creation,
      EncryptRule encryption,
      Masks masks,
      ShadowRule shadow) {
    this(
        name,
        dataSources,
        groups,
        shardedTables,
        broadcastTables,
        single,
        keyPolicy,
        creation,
        encryption,
        masks,
        shadow,
        shardedTables.isEmpty()
            && broadcastTables.isEmpty()
            && endpoints(dataSources.keySet(), groups, shadow.hidden()).size() == 1,
        Map.of());
  }

  private LogicalDatabase(
      String name,
      Map<String, DataSourceDefinition> dataSources,
      Map<String, ReplicationGroup> groups,
      Map<String, ShardedTable> shardedTables,
      Map<String, String> broadcastTables,
      SingleTables single,
      KeyPolicy keyPolicy,
      Creation creation,
      EncryptRule encryption,
      Masks masks,
      ShadowRule shadow,
      boolean passThrough,
      Map<String, ShardedTable> setAside) {
    this.shadow = shadow;
    this.encryption = encryption;
    this.name = name;
    this.dataSources = Collections.unmodifiableMap(new LinkedHashMap<>(dataSources));
    this.groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
    this.shardedTables = Map.copyOf(shardedTables);
    this.broadcastTables = Map.copyOf(broadcastTables);
    this.single = single;
    this.keyPolicy = keyPolicy;
    this.creation = creation;
    this.masks = masks;
    this.endpoints = endpoints(dataSources.keySet(), groups, shadow.hidden());
    this.passThrough = passThrough;
    this.setAside = Map.copyOf(setAside);
    this.ruledNames = ruled();
    this.encryptedParts = parts();
    this.shardingColumns =
        shardedTables.values().stream()
            .flatMap(table -> table.shardingColumns().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Without encrypted and masked columns, and without shadows. */
  public LogicalDatabase(
      String name,
      Map<String, DataSourceDefinition> dataSources,
      Map<String, ReplicationGroup> groups,
      Map<String, ShardedTable> shardedTables,
      Map<String, String> broadcastTables,
      SingleTables single,
      KeyPolicy keyPolicy,
      Creation creation) {
    this(
        name,
        dataSources,
        groups,
        shardedTables,
        broadcastTables,
        single,
        keyPolicy,
        creation,
        EncryptRule.NONE,
        Masks.NONE,
        ShadowRule.NONE);
  }

  /** Beside which clients make no others. */
  public LogicalDatabase(
      String name,
      Map<String, DataSourceDefinition> dataSources,
      Map<String, ReplicationGroup> groups,
      Map<String, ShardedTable> shardedTables,
      Map<String, String> broadcastTables,
      SingleTables single,
      KeyPolicy keyPolicy) {
    this(
        name,
        dataSources,
        groups,
        shardedTables,
        broadcastTables,
        single,
        keyPolicy,
        Creation.NONE);
  }

  /** Where keys are as {@link KeyPolicy#DEFAULTS} says. */
  public LogicalDatabase(
      String name,
      Map<String, DataSourceDefinition> dataSources,
      Map<String, ReplicationGroup> groups,
      Map<String, ShardedTable> shardedTables,
      Map<String, String> broadcastTables,
      SingleTables single) {
    this(name, dataSources, groups, shardedTables, broadcastTables, single, KeyPolicy.DEFAULTS);
  }

  private static List<String> endpoints(
      Set<String> dataSources, Map<String, ReplicationGroup> groups, Set<String> hidden) {
    var members = new HashSet<String>(hidden);
    for (ReplicationGroup group : groups.values()) {
      members.add(group.primary());
      members.addAll(group.replicas());
    }
    var names = new ArrayList<String>(groups.keySet());
    names.removeAll(hidden);
    for (String source : dataSources) {
      if (!members.contains(source)) {
        names.add(source);
      }
    }
    return List.copyOf(names);
  }

  /** Whether a schema is one that servers have for themselves: no logical database is called so. */
  public static boolean isSystemSchema(String name) {
    return OF_SERVERS.contains(name.toLowerCase(Locale.ROOT));
  }

  public String name() {
    return name;
  }

  /** By name, in the file's order. */
  public Map<String, DataSourceDefinition> dataSources() {
    return dataSources;
  }

  /** Read/write groups by name; a group is used wherever a data source is. */
  public Map<String, ReplicationGroup> groups() {
    return groups;
  }

  /** By lower-case logical name. */
  public Map<String, ShardedTable> shardedTables() {
    return shardedTables;
  }

  /** Columns that one sharded table or another is sharded by, in lower case. */
  public Set<String> shardingColumns() {
    return shardingColumns;
  }

  /** By lower-case name, to the name as configured. */
  public Map<String, String> broadcastTables() {
    return broadcastTables;
  }

  /** Where the tables live that are neither sharded nor broadcast. */
  public SingleTables single() {
    return single;
  }

  /** What becomes of unique keys that no node can keep unique by itself. */
  public KeyPolicy keyPolicy() {
    return keyPolicy;
  }

  /** What users do not see as it is. */
  public Masks masks() {
    return masks;
  }

  /** Which statements go to other data sources than the tables' own. */
  public ShadowRule shadow() {
    return shadow;
  }

  /** Which databases clients may make on its data sources. */
  public Creation creation() {
    return creation;
  }

  /** Tables with columns that are stored encrypted. */
  public EncryptRule encryption() {
    return encryption;
  }

  /** Tables with rules, but for masks: by lower-case name, to the name as configured. */
  public Map<String, String> ruledNames() {
    return ruledNames;
  }

  private Map<String, String> ruled() {
    var names = new HashMap<String, String>(broadcastTables);
    encryption.tables().forEach((key, table) -> names.put(key, table.name()));
    shadow.tables().forEach((key, table) -> names.put(key, table.name()));
    shardedTables.forEach((key, table) -> names.put(key, table.name()));
    return Map.copyOf(names);
  }

  /** Sharded tables with encrypted columns by the actual names of their parts in lower case. */
  public Map<String, EncryptedTable> encryptedParts() {
    return encryptedParts;
  }

  private Map<String, EncryptedTable> parts() {
    var parts = new HashMap<String, EncryptedTable>();
    encryption
        .tables()
        .forEach(
            (key, table) -> {
              ShardedTable sharded = shardedTables.get(key);
              for (DataNode node : sharded == null ? List.<DataNode>of() : sharded.nodes()) {
                parts.put(node.table().toLowerCase(Locale.ROOT), table);
              }
            });
    return Map.copyOf(parts);
  }

  /**
   * This database for a statement that means other tables by names that differ in case alone. Masks
   * stay: they are of names in any case.
   *
   * @param keys lower-case names of tables that it has no rules for
   */
  public LogicalDatabase withoutRules(Set<String> keys) {
    var sharded = new HashMap<>(shardedTables);
    sharded.keySet().removeAll(keys);
    var broadcast = new HashMap<>(broadcastTables);
    broadcast.keySet().removeAll(keys);
    var aside = new HashMap<>(shardedTables);
    aside.keySet().retainAll(keys);
    aside.putAll(setAside);
    return new LogicalDatabase(
        name,
        dataSources,
        groups,
        sharded,
        broadcast,
        single,
        keyPolicy,
        creation,
        encryption.without(keys),
        masks,
        shadow.without(keys),
        passThrough,
        aside);
  }

  /**
   * Sharded tables that {@link #withoutRules} has taken away: their parts are there, and still not
   * for clients. By lower-case logical name.
   */
  public Map<String, ShardedTable> setAside() {
    return setAside;
  }

  /**
   * The pass-through database of another schema of the same servers, but for shadows: it is
   * production's. It keeps no idle connections.
   *
   * @param schema its name there and here
   */
  public LogicalDatabase withSchema(String schema) {
    var others = new HashSet<String>(shadow.hidden());
    var present = new LinkedHashMap<>(groups);
    present.keySet().removeAll(others);
    groups.forEach(
        (key, group) -> {
          if (others.contains(key)) {
            others.add(group.primary());
            others.addAll(group.replicas());
          }
        });
    var sources = new LinkedHashMap<String, DataSourceDefinition>();
    dataSources.forEach(
        (key, source) -> {
          if (!others.contains(key)) {
            sources.put(key, source.withSchema(schema));
          }
        });
    return new LogicalDatabase(
        schema, sources, present, Map.of(), Map.of(), new SingleTables(List.of(), null), keyPolicy);
  }

  /** Names that statements are routed to: groups, and data sources that are in no group. */
  public List<String> endpoints() {
    return endpoints;
  }

  /** A table that all endpoints have by that name. */
  public List<DataNode> everywhere(String table) {
    return endpoints.stream().map(endpoint -> new DataNode(endpoint, table)).toList();
  }

  /** Whether it has no data source yet: no statement can go anywhere. */
  public boolean isEmpty() {
    return endpoints.isEmpty();
  }

  /**
   * Whether the only data source (or group) takes every statement as it is: no sharding, broadcast
   * or single-table rules.
   */
  public boolean isPassThrough() {
    return passThrough;
  }

  /**
   * Whether all statements go to one data source or group: what is left in its connections, or kept
   * by its server, is there for each of them. Where there are shadows, the texts pass through, but
   * to two places.
   */
  public boolean isOfOneEndpoint() {
    return passThrough && !shadow.isPresent();
  }

  /** Whether plans depend on how its tables and views are defined. */
  public boolean readsDefinitions() {
    return !isOfOneEndpoint()
        || !groups.isEmpty()
        || !encryption.isEmpty()
        || !masks.columns().isEmpty();
  }

  /**
   * Whether the one server behind this pass-through database has that of {@code other} too, under
   * the same name: a statement may name both.
   */
  public boolean isBeside(LogicalDatabase other) {
    return isOnServerOf(other) && other.source().schema().equals(other.name);
  }

  /**
   * Whether the one server behind this pass-through database has that of {@code other} too,
   * whatever it calls it: a connection may go from one to the other.
   */
  public boolean isOnServerOf(LogicalDatabase other) {
    return isOfOneServer()
        && other.isOfOneServer()
        && !other.source().schema().isEmpty()
        && other.source().server().equals(source().server());
  }

  /** Whether a connection to this pass-through database is as good for the other one. */
  public boolean isSameAs(LogicalDatabase other) {
    return isOnServerOf(other)
        && other.source().schema().equals(source().schema())
        && other.source().username().equals(source().username());
  }

  /** Whether its one server calls this pass-through database so. */
  public boolean isCalled(String schema) {
    return isOfOneServer() && source().schema().equals(schema);
  }

  /**
   * What the one server of a pass-through database calls it, as its URL says.
   *
   * @throws IllegalStateException if it has several servers, or none is named
   */
  public String schema() {
    if (!isOfOneServer() || source().schema().isEmpty()) {
      throw new IllegalStateException("no one schema: " + name);
    }
    return source().schema();
  }

  /** Whether each of its servers calls it by this very name, as far as the configuration says. */
  public boolean isNamedAlike() {
    return dataSources.values().stream().allMatch(source -> source.schema().equals(name));
  }

  private boolean isOfOneServer() {
    return isPassThrough() && dataSources.size() == 1;
  }

  private DataSourceDefinition source() {
    return dataSources.values().iterator().next();
  }

  /**
   * Unique keys of sharded tables that do not have all sharding columns.
   *
   * @param refuses whether CREATE and ALTER do not take them; else they warn
   * @param checks whether rows that come are looked for on all nodes
   */
  public record KeyPolicy(boolean refuses, boolean checks) {

    /** They are warned of. */
    public static final KeyPolicy DEFAULTS = new KeyPolicy(false, false);
  }

  /**
   * Which schemas of a pass-through database's servers are databases of the proxy, without a file
   * of their own: those that clients create.
   *
   * @param names patterns as in GRANT: {@code %}, {@code _}, the backslash; without regard to case
   * @param users names of those who may create and drop them; empty: whoever may use them
   */
  public record Creation(List<String> names, Set<String> users) {

    /** None. */
    public static final Creation NONE = new Creation(List.of(), Set.of());

    public Creation {
      names = List.copyOf(names);
      users = Set.copyOf(users);
    }

    /** Whether a schema of that name is one of them. */
    public boolean takes(String schema) {
      return names.stream().anyMatch(pattern -> matches(schema, pattern));
    }

    /** Whether a user may create and drop them, if it may use them. */
    public boolean isOpenTo(String user) {
      return users.isEmpty() || users.stream().anyMatch(user::equalsIgnoreCase);
    }

    private static boolean matches(String name, String pattern) {
      var expression = new StringBuilder();
      for (int i = 0; i < pattern.length(); i++) {
        char c = pattern.charAt(i);
        if (c == '\\' && i + 1 < pattern.length()) {
          i++;
          expression.append(Pattern.quote(pattern.substring(i, i + 1)));
        } else {
          expression.append(
              switch (c) {
                case '%' -> ".*";
                case '_' -> ".";
                default -> Pattern.quote(String.valueOf(c));
              });
        }
      }
      int flags = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL;
      return Pattern.compile(expression.toString(), flags).matcher(name).matches();
    }
  }

  /**
   * @param tables {@code dataSource.table}, {@code dataSource.*} or {@code *.*} as configured;
   *     empty: none listed
   * @param defaultDataSource where CREATE TABLE of an unknown table goes; null: the first endpoint
   */
  public record SingleTables(List<String> tables, @Nullable String defaultDataSource) {
    public SingleTables {
      tables = List.copyOf(tables);
    }
  }
}
