package io.anabranch.rules.config.global;

import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.config.yaml.Problems;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.listener.ListenerDefinition;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.cluster.ClusterRepository;
import io.anabranch.rules.model.protection.Protection;
import io.anabranch.rules.secret.Secrets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code global.yaml}: what holds for all databases. */
public final class GlobalReader {

  /** Tags of the old list form to the keys that replaced them. */
  private static final Map<String, String> OLD_RULES =
      Map.ofEntries(
          Map.entry("AUTHORITY", "authority"),
          Map.entry("TRANSACTION", "transaction"),
          Map.entry("SQL_PARSER", "sqlParser"),
          Map.entry("SQL_FEDERATION", "sqlFederation"),
          Map.entry("SQL_TRANSLATOR", "sqlTranslator"),
          Map.entry("GLOBAL_CLOCK", "globalClock"),
          Map.entry("TRAFFIC", "traffic"),
          Map.entry("LOGGING", "logging"),
          Map.entry("CDC", "cdc"));

  private final Problems problems;
  private final Secrets secrets;
  private final AlgorithmReader algorithms;
  private final List<ListenerDefinition> listeners = new ArrayList<>();
  private final Map<String, Value> oldRules = new HashMap<>();
  private final Map<String, String> settings = new TreeMap<>();
  private @Nullable AuthorityReader authority;
  private @Nullable TransactionReader transactions;
  private @Nullable LimitsReader limits;
  private @Nullable ClusterRepository repository;
  private @Nullable QueryRulesReader rules;

  public GlobalReader(Problems problems, AlgorithmTypes types, Secrets secrets) {
    this.algorithms = new AlgorithmReader(types, secrets);
    this.secrets = secrets;
    this.problems = problems;
  }

  /**
   * @param version of the rule set
   * @return without databases
   */
  public RuleSet read(Section file, long version) {
    readOldRules(file.items("rules"));
    Section mode = file.section("mode");
    repository = mode == null ? null : new ModeReader(mode, secrets).read();
    Section authoritySection = section(file, "authority");
    this.authority =
        new AuthorityReader(
            authoritySection == null
                ? Section.empty(problems, file.place().under("authority"))
                : authoritySection,
            secrets,
            algorithms);
    Authority users = authority.read();
    this.transactions = new TransactionReader(section(file, "transaction"));
    TransactionSettings transactionSettings = transactions.read();
    this.limits = new LimitsReader(file.section("limits"));
    this.rules = new QueryRulesReader(file.items("queryRules"));
    Set<String> names =
        users.users().stream().map(Authority.User::name).collect(Collectors.toSet());
    var protection = new Protection(limits.read(names), rules.read(names));
    readParser(section(file, "sqlParser"));
    readFederation(section(file, "sqlFederation"));
    readClock(section(file, "globalClock"));
    Section written = file.section("props");
    Section props = written == null ? Section.empty(problems, file.keyPlace("props")) : written;
    ProxyProperties properties = PropsReader.read(props, secrets);
    settings.putAll(props.settings());
    authority.checkRequirements(properties.clients());
    file.named("statementListeners").forEach(this::readListener);
    refuse(file, "sqlTranslator", "translation of SQL dialects");
    refuse(file, "traffic", "traffic routing");
    refuse(file, "cdc", "change data capture");
    file.refused("dataSources", "a data source outside of database files", "move it to one");
    file.ignored("logging", "logging is configured in logback.xml");
    file.ignored("labels", "labels are for clusters");
    file.close();
    return new RuleSet(version, Map.of(), users, properties, transactionSettings, protection);
  }

  /** Where the proxies of a cluster keep what they share; null for a proxy by itself. */
  public @Nullable ClusterRepository repository() {
    return repository;
  }

  /** Who hears of statements that have ended. */
  public List<ListenerDefinition> listeners() {
    return listeners;
  }

  /** Properties as they are written, or their defaults; secrets hidden. */
  public Map<String, String> settings() {
    return settings;
  }

  /** To be called once all databases are known. */
  public void checkGrants(Map<String, LogicalDatabase> databases) {
    if (authority != null) {
      authority.checkGrants(databases);
    }
  }

  /** To be called once all databases are known. */
  public void checkLog(Map<String, LogicalDatabase> databases) {
    if (transactions != null) {
      transactions.checkLog(databases);
    }
  }

  /** To be called once all databases are known. */
  public void checkProtection(Map<String, LogicalDatabase> databases) {
    if (limits != null) {
      limits.checkDatabases(databases);
    }
    if (rules != null) {
      rules.check(databases);
    }
  }

  private void readListener(String name, Section section) {
    ListenerDefinition listener = algorithms.listener(name, section);
    if (listener != null) {
      listeners.add(listener);
    }
  }

  private void readOldRules(List<Value> rules) {
    for (Value rule : rules) {
      String tag = rule.localTag();
      String key = tag == null ? null : OLD_RULES.get(tag.toUpperCase(Locale.ROOT));
      if (key == null) {
        rule.error(
            tag == null ? "a rule needs a tag" : "the rule !" + tag + " is not a global rule",
            "global rules are keys: authority, transaction, sqlParser; the others belong into a"
                + " database file");
      } else if (oldRules.putIfAbsent(key, rule.at(key)) != null) {
        rule.error("the rule !" + tag + " is there twice", "remove one of them");
      } else {
        rule.notice("the rule !" + tag + " in a list is an old form", "use the key `" + key + "`");
      }
    }
  }

  private @Nullable Section section(Section file, String key) {
    Value old = oldRules.get(key);
    if (old == null) {
      return file.section(key);
    }
    if (file.has(key)) {
      problems.error(file.keyPlace(key), "is also in the list `rules`", "remove one of them");
    }
    return old.section();
  }

  private void refuse(Section file, String key, String what) {
    file.refused(key, what, "remove the key");
    Value old = oldRules.get(key);
    if (old != null) {
      old.error(what + " is not supported yet", "remove the rule");
    }
  }

  private void readParser(@Nullable Section parser) {
    if (parser == null) {
      return;
    }
    parser.flag("sqlCommentParseEnabled", true);
    readCache(parser.section("sqlStatementCache"));
    readCache(parser.section("parseTreeCache"));
    parser.close();
  }

  private void readFederation(@Nullable Section federation) {
    if (federation == null) {
      return;
    }
    for (String key : List.of("sqlFederationEnabled", "allQueryUseSQLFederation")) {
      if (federation.flag(key, false)) {
        problems.notice(
            federation.keyPlace(key),
            "has no effect: what SQL federation does is done where a statement needs it",
            null);
      }
    }
    readCache(federation.section("executionPlanCache"));
    federation.close();
  }

  private static void readCache(@Nullable Section cache) {
    if (cache != null) {
      cache.integer("initialCapacity", 0, 0, Integer.MAX_VALUE);
      cache.integer("maximumSize", 0, 0, Integer.MAX_VALUE);
      cache.close();
    }
  }

  private void readClock(@Nullable Section clock) {
    if (clock == null) {
      return;
    }
    clock.text("type");
    clock.text("provider");
    clock.properties("props");
    if (clock.flag("enabled", false)) {
      problems.error(
          clock.keyPlace("enabled"), "a global clock is not supported yet", "set it to false");
    }
    clock.close();
  }
}
