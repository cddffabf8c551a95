package io.anabranch.rules.config;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.lexer.StatementDigest;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.model.ReadPolicy.Destination;
import io.anabranch.rules.model.ReadPolicy.NoReplica;
import io.anabranch.rules.model.ReadPolicy.UserReads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    var health =
        new HealthCheck(
            interval,
            section.number(
                "timeoutMilliseconds", Math.min(interval, defaults.timeoutMilliseconds()), 50, DAY),
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

  static Discovery discovery(Section group) {
    Section section = group.section("discovery");
    if (section == null) {
      return Discovery.STATIC;
    }
    Discovery.Kind kind = choice(section.value("type"), Discovery.Kind.STATIC);
    long hold = kind == Discovery.Kind.STATIC ? 0 : DEFAULT_HOLD;
    var discovery = new Discovery(kind, section.number("holdWritesMilliseconds", hold, 0, DAY));
    section.close();
    return discovery;
  }

  static ReadPolicy reads(Section group) {
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
        users(group, consistency),
        digests(group));
  }

  private static Map<String, UserReads> users(Section group, Consistency ofGroup) {
    Map<String, UserReads> users = new LinkedHashMap<>();
    group
        .named("userReads")
        .forEach(
            (name, section) -> {
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
        String digest = StatementDigest.of(section.required("statement"));
        section.required("destination");
        digests.put(digest, choice(section.value("destination"), Destination.REPLICA));
        section.close();
      }
    }
    return digests;
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
