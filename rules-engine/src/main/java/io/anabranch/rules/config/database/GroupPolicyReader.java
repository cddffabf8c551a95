package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.digest.StatementDigest;
import io.anabranch.rules.discovery.PrimaryDiscovery;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.model.ReadPolicy.Destination;
import io.anabranch.rules.model.ReadPolicy.NoReplica;
import io.anabranch.rules.model.ReadPolicy.UserReads;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The keys of a read/write group that ShardingSphere does not know. */
final class GroupPolicyReader {

  private static final long DAY = 86_400_000;
  private static final long DEFAULT_HOLD = 10_000;

  private GroupPolicyReader() {}

  static HealthCheck health(Section group) {
    HealthCheck defaults = HealthCheck.DEFAULT;
    Section section = group.section("healthCheck");
    if (section == null) {
      return defaults;
    }
    long interval =
        section.number("intervalMilliseconds", defaults.intervalMilliseconds(), 50, DAY);
    long timeout =
        section.number(
            "timeoutMilliseconds", Math.min(interval, defaults.timeoutMilliseconds()), 50, DAY);
    Value given = section.value("timeoutMilliseconds");
    if (given != null && timeout > interval) {
      given.error(
          "is longer than intervalMilliseconds (" + interval + ")", "make it as long at most");
    }
    var health =
        new HealthCheck(
            interval,
            timeout,
            section.integer("rise", defaults.rise(), 1, 100),
            section.integer("fall", defaults.fall(), 1, 100),
            section.number("maxReplicationLagMilliseconds", 0, 0, DAY),
            heartbeatTable(section));
    section.close();
    return health;
  }

  private static String heartbeatTable(Section section) {
    Value value = section.value("heartbeatTable");
    String table = value == null ? null : value.text();
    if (value == null || table == null) {
      return "";
    }
    if (!table.matches("[\\p{Alnum}_$]+\\.[\\p{Alnum}_$]+")) {
      value.error("`" + table + "` is no table's name", "write schema.table");
      return "";
    }
    return table;
  }

  static Discovery discovery(Section group, AlgorithmReader algorithms) {
    Section section = group.section("discovery");
    if (section == null) {
      return Discovery.STATIC;
    }
    Value value = section.value("type");
    String type = value == null ? null : value.text();
    String upper = type == null ? Discovery.Kind.STATIC.name() : type.toUpperCase(Locale.ROOT);
    if (algorithms.discoveries().contains(upper)) {
      long held = section.number("holdWritesMilliseconds", DEFAULT_HOLD, 0, DAY);
      PrimaryDiscovery plugIn = algorithms.discovery(section);
      return plugIn == null ? Discovery.STATIC : Discovery.by(plugIn, held);
    }
    if (value != null && type != null && !Discovery.Kind.builtIn().contains(upper)) {
      Set<String> known = new TreeSet<>(Discovery.Kind.builtIn());
      known.addAll(algorithms.discoveries());
      value.error("unknown value " + type, NearestName.suggestion(type, known));
      upper = Discovery.Kind.STATIC.name();
    }
    var kind = Discovery.Kind.valueOf(upper);
    long hold = kind == Discovery.Kind.STATIC ? 0 : DEFAULT_HOLD;
    var discovery = new Discovery(kind, section.number("holdWritesMilliseconds", hold, 0, DAY));
    section.close();
    return discovery;
  }

  /**
   * @param known names of those who may log in
   */
  static ReadPolicy reads(Section group, Set<String> known) {
    ReadPolicy defaults = ReadPolicy.DEFAULT;
    Consistency consistency = choice(group.value("readConsistency"), Consistency.EVENTUAL);
    return new ReadPolicy(
        consistency,
        group.number(
            "consistencyTimeoutMilliseconds", defaults.consistencyTimeoutMilliseconds(), 0, DAY),
        group.number("primaryAfterWriteMilliseconds", 0, 0, DAY),
        group.flag("readOnlyTransactionsOnReplicas", true),
        choice(group.value("noReplica"), NoReplica.PRIMARY),
        group.number("noReplicaWaitMilliseconds", defaults.noReplicaWaitMilliseconds(), 0, DAY),
        users(group, consistency, known),
        digests(group));
  }

  private static Map<String, UserReads> users(
      Section group, Consistency ofGroup, Set<String> known) {
    Map<String, UserReads> users = new LinkedHashMap<>();
    group
        .named("userReads")
        .forEach(
            (name, section) -> {
              if (!known.isEmpty() && !known.contains(name)) {
                section.error(
                    "there is no user `" + name + "`", NearestName.suggestion(name, known));
              }
              users.put(
                  name,
                  new UserReads(
                      choice(section.value("readConsistency"), ofGroup),
                      choice(section.value("destination"), Destination.REPLICA)));
              section.close();
            });
    return users;
  }

  private static Map<String, Destination> digests(Section group) {
    Map<String, Destination> digests = new LinkedHashMap<>();
    for (Value item : group.items("statementReads")) {
      Section section = item.section();
      if (section != null) {
        String statement = section.required("statement");
        section.required("destination");
        if (!statement.isEmpty() && !isRead(statement)) {
          section.error(
              "`" + statement + "` is no SELECT, WITH or VALUES",
              "remove it: only those are read from replicas");
        }
        Destination destination = choice(section.value("destination"), Destination.REPLICA);
        if (digests.put(StatementDigest.of(statement), destination) != null) {
          section.error("the statement is there twice", "values, blanks and case do not count");
        }
        section.close();
      }
    }
    return digests;
  }

  private static boolean isRead(String statement) {
    byte[] sql = statement.getBytes(StandardCharsets.UTF_8);
    Scan scan = new SqlScanner().scan(sql, 0, sql.length, LexerMode.DEFAULT, new Scan());
    return switch (scan.kind()) {
      case SELECT, QUERY_EXPRESSION -> true;
      default -> false;
    };
  }

  /** A name of an enum in any case. */
  static <E extends Enum<E>> E choice(@Nullable Value value, E otherwise) {
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return otherwise;
    }
    List<String> names = new ArrayList<>();
    for (E each : otherwise.getDeclaringClass().getEnumConstants()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
      names.add(each.name());
    }
    value.error("unknown value " + text, NearestName.suggestion(text, names));
    return otherwise;
  }
}
