package io.anabranch.rules.config.global;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.protection.Priority;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.QueryRule.Mirror;
import io.anabranch.rules.model.protection.QueryRule.Route;
import io.anabranch.rules.model.protection.TextPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code queryRules}: what becomes of statements, an ordered list. */
final class QueryRulesReader {

  private static final long LONGEST = 7L * 24 * 60 * 60 * 1000;
  private static final int MOST = 1 << 20;
  private static final int MOST_RULES = 4096;

  private static final List<String> ACTIONS =
      List.of(
          "rewrite",
          "deny",
          "route",
          "milliseconds",
          "maxRows",
          "maxBytes",
          "maxDataSources",
          "statementsAtATime",
          "tag",
          "mirror",
          "cacheMilliseconds",
          "merge",
          "priority",
          "log");

  private record Named(Value place, String name) {}

  private final List<Value> items;
  private final List<Named> databases = new ArrayList<>();
  private final List<Named> dataSources = new ArrayList<>();

  /** With their databases in front. */
  private final List<Named> mirrors = new ArrayList<>();

  QueryRulesReader(List<Value> items) {
    this.items = items;
  }

  /**
   * @param users names of the accounts there are
   */
  List<QueryRule> read(Set<String> users) {
    List<QueryRule> rules = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Value item : items) {
      Section section = item.section();
      if (section == null) {
        continue;
      }
      if (rules.size() == MOST_RULES) {
        item.error("more than " + MOST_RULES + " rules", "leave some out");
        break;
      }
      QueryRule rule = rule(section, users);
      if (!names.add(rule.name())) {
        item.error("the rule " + rule.name() + " is there twice", "rename one of them");
      }
      rules.add(rule);
    }
    return List.copyOf(rules);
  }

  private QueryRule rule(Section rule, Set<String> users) {
    String name = rule.required("name");
    if (!name.isEmpty() && !name.matches("[A-Za-z0-9_-]{1,64}")) {
      rule.error("a rule's name has 1 to 64 letters, digits, '_' or '-'", "rename it");
    }
    Guard guard = guard(rule);
    var matching = new RuleMatchReader(rule.section("match"), users).read(guard);
    matching.databases().forEach(each -> databases.add(new Named(each.place(), each.name())));
    if (!rule.has("match") && guard == null) {
      rule.error(
          "does not say which statements it concerns",
          "add `match` with what they have in common, or `guard`; `match: {}` for all");
    }
    boolean logOnly = rule.flag("logOnly", false);
    boolean goesOn = rule.flag("next", false);
    QueryRule.Actions actions = actions(rule, guard);
    if (actions.keys().isEmpty() && !logOnly) {
      rule.error("does nothing", "give one of " + String.join(", ", ACTIONS));
    }
    if (actions.rewrite() != null) {
      checkRewriting(rule, matching.matching(), actions);
    }
    if (actions.deny() != null && goesOn) {
      rule.error(
          "refuses statements, so that `next` has no effect",
          "leave out `next`, or refuse with a rule behind it");
    }
    if (actions.cacheMilliseconds() > 0 && actions.route() instanceof Route.Replica) {
      rule.error(
          "what is kept is read from the primary, which may know more than a replica",
          "leave out `route`, or `cacheMilliseconds`");
    }
    rule.close();
    return new QueryRule(name, matching.matching(), actions, logOnly, goesOn);
  }

  /** It is asked before the others, which are told of what has come out. */
  private static void checkRewriting(
      Section rule, QueryRule.Matching matching, QueryRule.Actions actions) {
    Value place = rule.value("rewrite");
    String by = actions.rewrite();
    if (place == null || by == null) {
      return;
    }
    TextPattern pattern = matching.pattern();
    if (pattern == null) {
      place.error(
          "nothing says what it takes the place of", "add `pattern` to `match`: what is replaced");
    } else {
      String problem = pattern.problemOf(by);
      if (problem != null) {
        place.error(problem, "see https://github.com/google/re2/wiki/Syntax");
      }
    }
    if (matching.moreThanDataSources() > 0) {
      place.error(
          "is asked before it is known where a statement goes", "leave out `dataSourcesAbove`");
    }
    if (!List.of("rewrite", "log").containsAll(actions.keys())) {
      place.error(
          "a rule that rewrites does nothing else but `log`",
          "write a rule for the rest, which is asked about the statement that has come out");
    }
  }

  private static @Nullable Guard guard(Section rule) {
    Value value = rule.value("guard");
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    Guard guard = Guard.named(text);
    if (guard == null) {
      value.error("there is no guard " + text, NearestName.suggestion(text, Guard.names()));
    }
    return guard;
  }

  private QueryRule.Actions actions(Section rule, @Nullable Guard guard) {
    String deny = rule.text("deny");
    boolean isPlain = deny != null && deny.equalsIgnoreCase("true");
    if (guard != null && (deny == null || isPlain)) {
      deny = guard.message();
    } else if (isPlain) {
      deny = "ask your administrator";
    } else if (deny != null && deny.equalsIgnoreCase("false")) {
      deny = null;
    }
    String tag = rule.text("tag");
    if (tag != null && !tag.matches("[A-Za-z0-9_.:/-]{1,64}")) {
      rule.error("a tag has 1 to 64 letters, digits or any of _ . : / -", "choose another one");
    }
    return new QueryRule.Actions(
        rule.text("rewrite"),
        deny,
        route(rule),
        rule.number("milliseconds", 0, 1, LONGEST),
        rule.number("maxRows", 0, 1, Long.MAX_VALUE),
        rule.number("maxBytes", 0, 1, Long.MAX_VALUE),
        rule.integer("maxDataSources", 0, 1, MOST),
        rule.integer("statementsAtATime", 0, 1, MOST),
        tag,
        mirror(rule),
        rule.number("cacheMilliseconds", 0, 1, LONGEST),
        rule.flag("merge", false),
        priority(rule),
        rule.flag("log", false));
  }

  private static @Nullable Priority priority(Section rule) {
    Value value = rule.value("priority");
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    for (Priority each : Priority.values()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    value.error("there is no priority '" + text + "'", "use low, normal or high");
    return null;
  }

  private @Nullable Mirror mirror(Section rule) {
    Value value = rule.value("mirror");
    String name = value == null ? null : value.text();
    boolean writes = rule.flag("mirrorWrites", false);
    if (value == null || name == null) {
      if (writes) {
        rule.error("`mirrorWrites` without `mirror`", "say where writes go as well");
      }
      return null;
    }
    int dot = name.indexOf('.');
    if (dot < 0) {
      dataSources.add(new Named(value, name));
      return new Mirror(null, name, writes);
    }
    mirrors.add(new Named(value, name));
    return new Mirror(name.substring(0, dot), name.substring(dot + 1), writes);
  }

  private @Nullable Route route(Section rule) {
    Value value = rule.value("route");
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "primary" -> new Route.Primary();
      case "replica" -> new Route.Replica();
      default -> {
        dataSources.add(new Named(value, text));
        yield new Route.DataSource(text);
      }
    };
  }

  /** To be called once all databases are known. */
  void check(Map<String, LogicalDatabase> known) {
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
    Set<String> sources = new TreeSet<>();
    Set<String> qualified = new TreeSet<>();
    for (LogicalDatabase database : known.values()) {
      var own = new TreeSet<>(database.endpoints());
      own.addAll(database.dataSources().keySet());
      sources.addAll(own);
      own.forEach(source -> qualified.add(database.name() + "." + source));
    }
    checkSources(dataSources, sources);
    checkSources(mirrors, qualified);
  }

  private static void checkSources(List<Named> wanted, Set<String> known) {
    for (Named source : wanted) {
      if (!known.contains(source.name())) {
        var words = new TreeSet<>(known);
        words.addAll(List.of("primary", "replica"));
        source
            .place()
            .error(
                "no database has a data source " + source.name(),
                NearestName.suggestion(source.name(), words));
      }
    }
  }
}
