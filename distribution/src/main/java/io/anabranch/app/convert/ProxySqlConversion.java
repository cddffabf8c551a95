package io.anabranch.app.convert;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * ProxySQL's servers, users and rules. Each schema that users begin in becomes a database on the
 * servers of their host group; a pair of host groups whose reader gets SELECTs becomes a group that
 * splits reads and writes.
 */
public final class ProxySqlConversion {

  private static final int UNLIMITED = 10_000;
  private static final int DEFAULT_CONNECTIONS = 1000;

  /** What takes the place of a password that is known as a hash only. */
  private static final String BACKEND_PASSWORD = "backend-password";

  private static final Set<String> CONVERTED =
      Set.of("mysql_servers", "mysql_users", "mysql_query_rules", "mysql_replication_hostgroups");

  private final Map<String, List<ProxySqlRow>> tables;
  private final List<String> schemas;
  private final List<Leftover> leftovers = new ArrayList<>();
  private final Map<String, String> files = new LinkedHashMap<>();

  private ProxySqlConversion(Map<String, List<ProxySqlRow>> tables, List<String> schemas) {
    this.tables = tables;
    this.schemas = schemas;
  }

  /**
   * @param dump as SQL, or proxysql.cnf
   * @param schemas that clients use besides the users' {@code default_schema}
   * @throws ConversionException if it cannot be read, or has no servers
   */
  public static Conversion of(Path dump, List<String> schemas) throws ConversionException {
    Map<String, List<ProxySqlRow>> tables = ProxySqlTables.read(dump);
    if (!tables.containsKey("mysql_servers")) {
      throw new ConversionException(dump + " has no rows of mysql_servers");
    }
    return new ProxySqlConversion(tables, schemas).run();
  }

  private List<ProxySqlRow> rows(String table) {
    return tables.getOrDefault(table, List.of());
  }

  private Conversion run() {
    tables.forEach(
        (table, rows) -> {
          if (!CONVERTED.contains(table)) {
            leftover(rows.getFirst(), "table " + table, "it has no like here");
          }
        });
    Set<Integer> readers = readersOfRules();
    List<ProxySqlRow> users = users();
    Map<String, Integer> places = places(users);
    var account = users.stream().filter(user -> isClear(user.get("password"))).findFirst();
    String user = account.map(each -> each.get("username")).orElse("proxy");
    String password =
        account
            .map(each -> YamlText.literal(each.get("password")))
            .orElse("${file:" + BACKEND_PASSWORD + "}");
    if (account.isEmpty()) {
      files.put(BACKEND_PASSWORD, "change-me\n");
      leftovers.add(
          new Leftover(
              "mysql_users",
              "passwords for the servers",
              "all are hashes, which servers cannot be shown: write the password of one account, with the rights"
                  + " of docs/operations.md, into the file "
                  + BACKEND_PASSWORD));
    } else {
      leftovers.add(
          new Leftover(
              account.get().place(),
              "account for the servers",
              "ProxySQL logs in as each client's user, the proxy as one for all: "
                  + user
                  + " is taken. What clients may do is granted in global.yaml"));
    }
    places.forEach(
        (schema, group) ->
            files.put(
                "database-" + schema.replaceAll("[^A-Za-z0-9_.-]", "_") + ".yaml",
                database(schema, group, readers, user, password)));
    files.put("global.yaml", global(users));
    return new Conversion(files, leftovers);
  }

  // ---------------------------------------------------------------- users

  private List<ProxySqlRow> users() {
    var taken = new LinkedHashMap<String, ProxySqlRow>();
    for (ProxySqlRow user : rows("mysql_users")) {
      if (user.get("active", "1").equals("0")) {
        leftover(user, "user " + user.get("username"), "it is not active");
      } else if (user.get("frontend", "1").equals("1")) {
        taken.putIfAbsent(user.get("username"), user);
      }
    }
    return List.copyOf(taken.values());
  }

  private static boolean isClear(String password) {
    return !password.isEmpty() && !password.startsWith("*") && !password.startsWith("$A$");
  }

  /** Host groups by schema. */
  private Map<String, Integer> places(List<ProxySqlRow> users) {
    var places = new TreeMap<String, Integer>();
    int first = users.isEmpty() ? 0 : users.getFirst().number("default_hostgroup", 0);
    for (ProxySqlRow user : users) {
      String schema = user.get("default_schema");
      int group = user.number("default_hostgroup", 0);
      if (!schema.isEmpty() && places.getOrDefault(schema, group) != group) {
        leftover(
            user,
            "user " + user.get("username") + ", default_hostgroup " + group,
            "schema "
                + schema
                + " is on host group "
                + places.get(schema)
                + ": users are not told apart by servers here");
      } else if (!schema.isEmpty()) {
        places.put(schema, group);
      }
    }
    schemas.forEach(schema -> places.putIfAbsent(schema, first));
    if (places.isEmpty()) {
      leftovers.add(
          new Leftover(
              "mysql_users",
              "schemas",
              "no user has a default_schema: name those that clients use with --database"));
    }
    return places;
  }

  private String global(List<ProxySqlRow> users) {
    var text = new StringBuilder("authority:\n  users:\n");
    for (ProxySqlRow user : users) {
      String name = user.get("username");
      text.append("    - user: ").append(YamlText.literal(name + "@%"));
      text.append("\n      password: ").append(YamlText.literal(user.get("password"))).append('\n');
      if (user.get("use_ssl").equals("1")) {
        text.append("      require: SSL\n");
      }
      int most = user.number("max_connections", UNLIMITED);
      if (most < UNLIMITED) {
        text.append("      maxConnections: ").append(most).append('\n');
      }
      if (user.get("transaction_persistent", "1").equals("0")) {
        leftover(
            user,
            "user " + name + ", transaction_persistent 0",
            "a transaction stays on its connection, always");
      }
      if (user.get("fast_forward").equals("1")) {
        leftover(
            user,
            "user " + name + ", fast_forward",
            "there is no such mode: pass-through databases relay packets");
      }
    }
    leftovers.add(
        new Leftover(
            "mysql_users",
            "rights",
            "the servers' rights of each user do not count any more: without grants everybody may do what the proxy's account may. Write users[].grants"));
    return text.append("  privilege: { type: ALL_PERMITTED }\n").toString();
  }

  // ---------------------------------------------------------------- rules

  /** Host groups that SELECTs go to; everything else that rules do is left over. */
  private Set<Integer> readersOfRules() {
    var readers = new LinkedHashSet<Integer>();
    for (ProxySqlRow rule : rows("mysql_query_rules")) {
      String pattern = rule.get("match_digest", rule.get("match_pattern"));
      String what = "rule " + rule.get("rule_id") + " (" + pattern + ")";
      int target = rule.number("destination_hostgroup", -1);
      String plain = pattern.toUpperCase(Locale.ROOT).replace("\\S", " ");
      if (rule.get("active", "0").equals("0")) {
        leftover(rule, what, "it is not active");
      } else if (!special(rule).isEmpty()) {
        leftover(rule, what, special(rule));
      } else if (target >= 0
          && isReader(target)
          && plain.matches("\\^SELECT( *|\\.\\*|\\$|\\+)*")) {
        readers.add(target);
      } else if (target >= 0 && !isOfLockingReads(plain)) {
        leftover(
            rule,
            what,
            "statements are not routed by their text: reads go to replicas, the rest to the primary, and a hint names a server (docs/configuration.md)");
      } else if (target < 0) {
        leftover(rule, what, "it has no like here");
      }
    }
    return readers;
  }

  /** Reads that lock go to the primary anyhow. */
  private static boolean isOfLockingReads(String pattern) {
    return pattern.startsWith("^SELECT") && pattern.contains("FOR UPDATE");
  }

  /** Why a rule is more than a place for SELECTs; empty if it is not. */
  private static String special(ProxySqlRow rule) {
    Map<String, String> whys = new LinkedHashMap<>();
    whys.put("replace_pattern", "see rewrite in docs/query-rules.md");
    whys.put("cache_ttl", "see cacheMilliseconds in docs/query-rules.md");
    whys.put(
        "error_msg",
        "see deny in docs/query-rules.md; grants and limits say what users may besides");
    whys.put("ok_msg", "statements are not answered by patterns");
    whys.put("mirror_hostgroup", "see mirror in docs/query-rules.md");
    whys.put("mirror_flagout", "see mirror in docs/query-rules.md");
    whys.put("username", "users are not routed apart: grants say what they may");
    whys.put("client_addr", "clients are not routed by their address");
    whys.put("proxy_port", "there is one port: names of databases tell what is meant");
    whys.put("digest", "statements are not routed one by one");
    whys.put("flagout", "chains of rules have no like");
    whys.put("timeout", "see docs/limits.md for limits of statements and transactions");
    for (Map.Entry<String, String> each : whys.entrySet()) {
      String value = rule.get(each.getKey());
      if (!value.isEmpty() && !value.equals("0")) {
        return each.getValue();
      }
    }
    return rule.get("negate_match_pattern").equals("1") ? "patterns are not negated" : "";
  }

  private boolean isReader(int group) {
    return rows("mysql_replication_hostgroups").stream()
        .anyMatch(pair -> pair.number("reader_hostgroup", -1) == group);
  }

  // ---------------------------------------------------------------- servers

  private String database(
      String schema, int group, Set<Integer> readers, String user, String password) {
    ProxySqlRow pair =
        rows("mysql_replication_hostgroups").stream()
            .filter(each -> each.number("writer_hostgroup", -1) == group)
            .findFirst()
            .orElse(null);
    List<ProxySqlRow> writers = servers(group);
    List<ProxySqlRow> replicas = new ArrayList<>();
    if (pair != null && readers.contains(pair.number("reader_hostgroup", -1))) {
      for (ProxySqlRow server : servers(pair.number("reader_hostgroup", -1))) {
        if (writers.stream().noneMatch(writer -> address(writer).equals(address(server)))) {
          replicas.add(server);
        }
      }
    }
    if (writers.isEmpty()) {
      leftovers.add(
          new Leftover(
              "mysql_servers",
              "host group " + group,
              "it has no server that is online: database " + schema + " has none"));
      return "# host group " + group + " has no server\n";
    }
    for (ProxySqlRow other : writers.subList(1, writers.size())) {
      leftover(
          other,
          "server " + address(other),
          "the primary of host group "
              + group
              + " is one; with discovery.type REPLICATION others that may become it are replicas of the group");
    }
    var sources = new StringBuilder(source("primary", writers.getFirst(), schema, user, password));
    for (int i = 0; i < replicas.size(); i++) {
      sources.append(source("replica_" + i, replicas.get(i), schema, user, password));
    }
    return "databaseName: "
        + YamlText.of(schema)
        + "\ndataSources:\n"
        + sources
        + (replicas.isEmpty() ? "rules: []\n" : splitting(pair, replicas));
  }

  private List<ProxySqlRow> servers(int group) {
    var online = new ArrayList<ProxySqlRow>();
    for (ProxySqlRow server : rows("mysql_servers")) {
      if (server.number("hostgroup_id", 0) == group) {
        String status = server.get("status", "ONLINE").toUpperCase(Locale.ROOT);
        if (status.equals("ONLINE") || status.equals("SHUNNED") || status.equals("0")) {
          online.add(server);
        } else {
          leftover(server, "server " + address(server), "its status is " + status);
        }
      }
    }
    return online;
  }

  private static String address(ProxySqlRow server) {
    return server.get("hostname") + ":" + server.number("port", 3306);
  }

  private static String source(
      String name, ProxySqlRow server, String schema, String user, String password) {
    String tls = server.get("use_ssl").equals("1") ? "?sslMode=REQUIRED" : "";
    return "  %s: { url: %s, username: %s, password: %s, maxPoolSize: %d }\n"
        .formatted(
            name,
            YamlText.literal("jdbc:mysql://" + address(server) + "/" + schema + tls),
            YamlText.literal(user),
            password.startsWith("$") ? "\"" + password + "\"" : password,
            Math.max(1, server.number("max_connections", DEFAULT_CONNECTIONS)));
  }

  private static String splitting(@Nullable ProxySqlRow pair, List<ProxySqlRow> replicas) {
    var text =
        new StringBuilder("rules:\n- !READWRITE_SPLITTING\n  dataSourceGroups:\n    servers:\n");
    var names = new ArrayList<String>();
    var weights = new ArrayList<String>();
    long lag = 0;
    for (int i = 0; i < replicas.size(); i++) {
      names.add("replica_" + i);
      int weight = Math.max(1, replicas.get(i).number("weight", 1));
      weights.add("replica_" + i + ": " + weight);
      lag = Math.max(lag, replicas.get(i).number("max_replication_lag", 0));
    }
    text.append("      writeDataSourceName: primary\n      readDataSourceNames: ")
        .append(YamlText.list(names));
    text.append("\n      loadBalancerName: weights\n");
    if (lag > 0) {
      text.append("      healthCheck: { maxReplicationLagMilliseconds: ")
          .append(lag * 1000)
          .append(" }\n");
    }
    if (pair != null && !pair.get("check_type", "read_only").isEmpty()) {
      text.append("      discovery: { type: REPLICATION }\n");
    }
    return text.append("  loadBalancers:\n    weights: { type: WEIGHT, props: { ")
        .append(String.join(", ", weights))
        .append(" } }\n")
        .toString();
  }

  private void leftover(ProxySqlRow at, String what, String why) {
    leftovers.add(new Leftover(at.place(), what, why));
  }
}
