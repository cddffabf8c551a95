package io.anabranch.rules.config.global;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.protection.Limit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The key {@code limits} of the global file. */
final class LimitsReader {

  private static final int MOST = 1_000_000;
  private static final long LONGEST = 86_400_000;
  private static final long USUAL_WAIT = 10_000;

  private static final String CONNECTIONS = "maxConnections";
  private static final String CONNECT_RATE = "connectRate";
  private static final String STATEMENTS = "statementsAtATime";
  private static final String STATEMENT_RATE = "statementRate";
  private static final String AGE = "transactionMilliseconds";
  private static final String IDLE = "idleInTransactionMilliseconds";

  /** What can be limited. */
  private static final List<String> WHAT =
      List.of(CONNECTIONS, CONNECT_RATE, STATEMENTS, STATEMENT_RATE, AGE, IDLE);

  private record Named(Value place, String name) {}

  private final @Nullable Section section;
  private final List<Named> databases = new ArrayList<>();

  LimitsReader(@Nullable Section section) {
    this.section = section;
  }

  /**
   * @param users names of the accounts there are
   */
  List<Limit> read(Set<String> users) {
    List<Limit> limits = new ArrayList<>();
    if (section == null) {
      return limits;
    }
    for (var entry : section.entries().entrySet()) {
      if (!entry.getKey().matches("[A-Za-z0-9_-]{1,64}")) {
        entry
            .getValue()
            .error("a limit's name has 1 to 64 letters, digits, '_' or '-'", "rename it");
      }
      Section limit = entry.getValue().section();
      if (limit != null) {
        limits.add(limit(entry.getKey(), limit, users));
      }
    }
    return List.copyOf(limits);
  }

  private Limit limit(String name, Section limit, Set<String> users) {
    Limit.Each each = each(limit);
    Set<String> of = new LinkedHashSet<>();
    for (Named database : names(limit, "databases")) {
      databases.add(database);
      of.add(database.name());
    }
    var read =
        new Limit(
            name,
            each,
            users(limit, "users", users),
            users(limit, "exceptUsers", users),
            of,
            digests(limit, each),
            new Limit.Connections(
                limit.integer(CONNECTIONS, 0, 1, MOST), rate(limit, CONNECT_RATE, "connectBurst")),
            statements(limit),
            new Limit.Transactions(
                limit.number(AGE, 0, 1, LONGEST), limit.number(IDLE, 0, 1, LONGEST)),
            scope(limit));
    if (WHAT.stream().noneMatch(limit::has)) {
      limit.error("limits nothing", "give one of " + String.join(", ", WHAT));
    }
    if (each == Limit.Each.DATABASE || limit.has("databases")) {
      for (String key : List.of(CONNECTIONS, CONNECT_RATE)) {
        Value value = limit.value(key);
        if (value != null) {
          value.error(
              "connections change their databases: they cannot be limited by database",
              "move it to a limit without `databases` and `each: database`");
        }
      }
    }
    if (limit.has("digests")) {
      for (String key : List.of(CONNECTIONS, CONNECT_RATE, AGE, IDLE)) {
        Value value = limit.value(key);
        if (value != null) {
          value.error(
              "is not of statements: `digests` does not concern it",
              "move it to a limit without `digests`");
        }
      }
    }
    limit.close();
    return read;
  }

  private static Set<String> digests(Section limit, Limit.Each each) {
    Set<String> digests = new LinkedHashSet<>();
    for (Named digest : names(limit, "digests")) {
      RuleMatchReader.checkDigest(digest.place(), digest.name());
      digests.add(digest.name().toLowerCase(Locale.ROOT));
    }
    Value value = limit.value("each");
    if (each == Limit.Each.DIGEST && value != null && !limit.has("digests")) {
      value.error("has no effect without `digests`", "name the digests that have a share each");
    }
    return digests;
  }

  private static Limit.Each each(Section limit) {
    Value value = limit.value("each");
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return Limit.Each.NONE;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "user" -> Limit.Each.USER;
      case "database" -> Limit.Each.DATABASE;
      case "digest" -> Limit.Each.DIGEST;
      default -> {
        value.error(
            "there is no share of each '" + text + "'",
            "use user, database or digest, or leave it out: all have one together");
        yield Limit.Each.NONE;
      }
    };
  }

  private static Limit.Scope scope(Section limit) {
    Value value = limit.value("scope");
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return Limit.Scope.PROXY;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "proxy" -> Limit.Scope.PROXY;
      case "cluster" -> Limit.Scope.CLUSTER;
      default -> {
        value.error("there is no scope '" + text + "'", "use proxy or cluster");
        yield Limit.Scope.PROXY;
      }
    };
  }

  private static Limit.Statements statements(Section limit) {
    int most = limit.integer(STATEMENTS, 0, 1, MOST);
    int queue = limit.integer("queue", 0, 0, MOST);
    long wait = limit.number("queueMilliseconds", USUAL_WAIT, 1, LONGEST);
    needs(limit, "queue", STATEMENTS);
    needs(limit, "queueMilliseconds", "queue");
    return new Limit.Statements(most, queue, wait, rate(limit, STATEMENT_RATE, "statementBurst"));
  }

  private static Limit.Rate rate(Section limit, String key, String burst) {
    int perSecond = limit.integer(key, 0, 1, MOST);
    needs(limit, burst, key);
    return new Limit.Rate(perSecond, limit.integer(burst, Math.max(1, perSecond), 1, MOST));
  }

  private static void needs(Section limit, String key, String other) {
    Value value = limit.value(key);
    if (value != null && !limit.has(other)) {
      value.error("has no effect without `" + other + "`", "add it, or leave this out");
    }
  }

  private static Set<String> users(Section limit, String key, Set<String> known) {
    Set<String> users = new LinkedHashSet<>();
    for (Named user : names(limit, key)) {
      users.add(user.name());
      if (!known.contains(user.name())) {
        user.place()
            .error("there is no user " + user.name(), NearestName.suggestion(user.name(), known));
      }
    }
    return users;
  }

  private static List<Named> names(Section limit, String key) {
    List<Named> names = new ArrayList<>();
    for (Value item : limit.items(key)) {
      String name = item.text();
      if (name != null) {
        names.add(new Named(item, name));
      }
    }
    Value value = limit.value(key);
    if (value != null && names.isEmpty()) {
      value.error("names nobody", "leave the key out, or name somebody");
    }
    return names;
  }

  /** To be called once all databases are known. */
  void checkDatabases(Map<String, LogicalDatabase> known) {
    Set<String> names =
        known.values().stream().map(LogicalDatabase::name).collect(Collectors.toSet());
    for (Named database : databases) {
      if (!known.containsKey(database.name().toLowerCase(Locale.ROOT))) {
        database
            .place()
            .error(
                "there is no database " + database.name(),
                NearestName.suggestion(database.name(), names));
      }
    }
  }
}
