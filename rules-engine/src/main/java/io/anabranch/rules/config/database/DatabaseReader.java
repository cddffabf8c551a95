package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Problems;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.Creation;
import io.anabranch.rules.model.LogicalDatabase.KeyPolicy;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.model.shadow.ShadowRule;
import io.anabranch.rules.secret.Secrets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code database-*.yaml}: one logical database. */
public final class DatabaseReader {

  private static final String CREATE_DATABASE = "CREATE_DATABASE";
  private static final String ENCRYPT = "ENCRYPT";
  private static final String MASK = "MASK";

  private static final String SHADOW = "SHADOW";

  private static final List<String> TAGS =
      List.of(
          "SHARDING",
          "READWRITE_SPLITTING",
          "BROADCAST",
          "SINGLE",
          CREATE_DATABASE,
          ENCRYPT,
          MASK,
          SHADOW);

  private static final Map<String, String> LATER = Map.of("DB_DISCOVERY", "discovery of primaries");

  private final Problems problems;
  private final AlgorithmReader algorithms;
  private final Set<String> users;
  private final Secrets secrets;
  private final Map<String, Section> rules = new HashMap<>();

  /**
   * @param users names of those who may log in
   */
  public DatabaseReader(
      Problems problems, AlgorithmTypes types, Set<String> users, Secrets secrets) {
    this.secrets = secrets;
    this.problems = problems;
    this.algorithms = new AlgorithmReader(types, secrets);
    this.users = users;
  }

  /** The database as far as it could be read; to be used only if there were no errors. */
  public LogicalDatabase read(Section file) {
    String name = name(file);
    Map<String, DataSourceDefinition> dataSources = new LinkedHashMap<>();
    file.named("dataSources")
        .forEach(
            (key, section) -> dataSources.put(key, DataSourceReader.read(key, section, secrets)));
    for (Value rule : file.items("rules")) {
      addRule(rule);
    }
    if (dataSources.isEmpty() && rules.isEmpty()) {
      problems.notice(
          file.keyPlace("dataSources"),
          "there is no data source",
          "the database takes no statements until it has one: REGISTER STORAGE UNIT");
    } else if (dataSources.isEmpty()) {
      problems.error(file.keyPlace("dataSources"), "there is no data source", "add one");
    }
    file.close();
    Section groupRule = rules.get("READWRITE_SPLITTING");
    Map<String, ReplicationGroup> groups =
        groupRule == null
            ? Map.of()
            : new GroupReader(groupRule, dataSources.keySet(), users, algorithms).read();
    Endpoints all = new Endpoints(dataSources.keySet(), groups);
    Section shadowRule = rules.get(SHADOW);
    ShadowReader shadows =
        shadowRule == null ? null : new ShadowReader(shadowRule, all, users, algorithms);
    ShadowRule shadow = shadows == null ? ShadowRule.NONE : shadows.read();
    Endpoints endpoints = all.without(shadow);
    Map<String, ShardedTable> sharded = new LinkedHashMap<>();
    Map<String, String> broadcast = new LinkedHashMap<>();
    var keyPolicy = KeyPolicy.DEFAULTS;
    Section shardingRule = rules.get("SHARDING");
    if (shardingRule != null) {
      var sharding = new ShardingReader(shardingRule, endpoints, algorithms);
      keyPolicy = sharding.keyPolicy();
      sharded.putAll(sharding.read(broadcast));
    }
    readBroadcast(sharded, broadcast);
    if (shadows != null) {
      shadows.requireShadows(sharded, broadcast.keySet(), endpoints.names());
    }
    var database =
        new LogicalDatabase(
            name,
            dataSources,
            groups,
            sharded,
            broadcast,
            readSingle(endpoints),
            keyPolicy,
            readCreation(),
            readEncryption(sharded),
            readMasks(),
            shadow);
    Section creation = rules.get(CREATE_DATABASE);
    if (creation != null && !database.isPassThrough()) {
      creation.error(
          "the rule !CREATE_DATABASE is for databases whose statements pass through",
          "move it to one that has a single data source or group, and no tables in rules");
    }
    return database;
  }

  private EncryptRule readEncryption(Map<String, ShardedTable> sharded) {
    Section rule = rules.get(ENCRYPT);
    return rule == null ? EncryptRule.NONE : new EncryptReader(rule, algorithms).read(sharded);
  }

  private Masks readMasks() {
    Section rule = rules.get(MASK);
    return rule == null ? Masks.NONE : new MaskReader(rule, users, algorithms).read();
  }

  private Creation readCreation() {
    Section rule = rules.get(CREATE_DATABASE);
    if (rule == null) {
      return Creation.NONE;
    }
    Value patterns = rule.value("names");
    List<String> names = patterns == null ? List.of() : Names.list(patterns);
    if (names.isEmpty()) {
      rule.error("the key `names` is missing", "name the databases that clients may create");
    }
    Value allowed = rule.value("users");
    List<String> creators = allowed == null ? List.of() : Names.list(allowed);
    if (allowed != null) {
      Accounts.check(creators, users, allowed::error);
    }
    rule.close();
    return new Creation(names, Set.copyOf(creators));
  }

  private String name(Section file) {
    if (!file.has("databaseName") && file.has("schemaName")) {
      problems.notice(file.keyPlace("schemaName"), "is an old form", "use `databaseName`");
      return file.required("schemaName");
    }
    file.refused("schemaName", "`schemaName` beside `databaseName`", "remove it");
    String name = file.required("databaseName");
    if (LogicalDatabase.isSystemSchema(name)) {
      file.problems()
          .error(
              file.keyPlace("databaseName"),
              "`" + name + "` is a database of the server's own",
              "give it another name");
    }
    return name;
  }

  private void addRule(Value rule) {
    String tag = rule.localTag();
    if (tag == null) {
      rule.error("a rule needs a tag", "there are !" + String.join(", !", TAGS));
      return;
    }
    String upper = tag.toUpperCase(Locale.ROOT);
    String later = LATER.get(upper);
    if (later != null) {
      rule.error("the rule !" + tag + " (" + later + ") is not supported yet", "remove it");
    } else if (!TAGS.contains(upper)) {
      rule.error("unknown rule !" + tag, NearestName.suggestion(upper, TAGS));
    } else {
      Section section = rule.at("rules.!" + upper).section();
      if (section != null && rules.putIfAbsent(upper, section) != null) {
        rule.error(
            "the rule !" + upper + " is twice in the file", "move everything under one of them");
      }
    }
  }

  private void readBroadcast(Map<String, ShardedTable> sharded, Map<String, String> broadcast) {
    Section rule = rules.get("BROADCAST");
    if (rule == null) {
      return;
    }
    Value tables = rule.value("tables");
    if (tables != null) {
      addBroadcast(tables, sharded, broadcast);
    }
    rule.close();
  }

  /** Adds the names in {@code tables} that are not sharded. */
  static void addBroadcast(
      Value tables, Map<String, ShardedTable> sharded, Map<String, String> broadcast) {
    for (String table : Names.list(tables)) {
      String key = table.toLowerCase(Locale.ROOT);
      if (sharded.containsKey(key)) {
        tables.error("the table `" + table + "` is sharded", "it cannot be both");
      } else if (broadcast.putIfAbsent(key, table) != null) {
        tables.error("the table `" + table + "` is there twice", null);
      }
    }
  }

  private SingleTables readSingle(Endpoints endpoints) {
    Section rule = rules.get("SINGLE");
    if (rule == null) {
      return new SingleTables(List.of(), null);
    }
    Value tables = rule.value("tables");
    List<String> names = tables == null ? List.of() : Names.list(tables);
    for (String name : names) {
      checkSingle(tables, name, endpoints);
    }
    Value standard = rule.value("defaultDataSource");
    String dataSource = standard == null ? null : standard.text();
    if (standard != null && dataSource != null) {
      endpoints.check(standard, dataSource);
    }
    rule.close();
    return new SingleTables(names, dataSource);
  }

  private static void checkSingle(@Nullable Value tables, String name, Endpoints endpoints) {
    int dot = name.indexOf('.');
    boolean valid = dot > 0 && dot < name.length() - 1 && name.indexOf('.', dot + 1) < 0;
    String dataSource = valid ? name.substring(0, dot) : "";
    boolean all = dataSource.equals("*");
    if (tables == null) {
      return;
    }
    if (!valid || (all && !name.equals("*.*"))) {
      tables.error(
          "`" + name + "` is no single table", "write dataSource.table, dataSource.* or \"*.*\"");
    } else if (!all) {
      endpoints.check(tables, dataSource);
    }
  }
}
