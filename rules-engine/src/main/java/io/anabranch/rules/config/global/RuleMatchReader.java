package io.anabranch.rules.config.global;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.Network;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.StatementTrait;
import io.anabranch.rules.model.protection.TextPattern;
import io.anabranch.rules.sql.wall.InjectionWall;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code match} of a query rule: which statements it concerns. */
final class RuleMatchReader {

  private static final int MOST_DATA_SOURCES = 1 << 20;

  /** Kinds of statements that go to databases; queries of any form are SELECT. */
  private static final Set<StatementKind> KINDS =
      EnumSet.of(
          StatementKind.SELECT,
          StatementKind.INSERT,
          StatementKind.REPLACE,
          StatementKind.UPDATE,
          StatementKind.DELETE,
          StatementKind.CREATE,
          StatementKind.ALTER,
          StatementKind.DROP,
          StatementKind.RENAME,
          StatementKind.TRUNCATE,
          StatementKind.SHOW,
          StatementKind.DESCRIBE,
          StatementKind.CALL,
          StatementKind.DO,
          StatementKind.HANDLER,
          StatementKind.LOAD_DATA,
          StatementKind.LOCK_TABLES,
          StatementKind.FLUSH,
          StatementKind.TABLE_MAINTENANCE,
          StatementKind.OTHER);

  /** A name and where it stands. */
  record Named(Value place, String name) {}

  /**
   * @param databases that are to be looked for
   */
  record Read(QueryRule.Matching matching, List<Named> databases) {}

  private final @Nullable Section match;
  private final Set<String> users;

  /**
   * @param users names of the accounts there are
   */
  RuleMatchReader(@Nullable Section match, Set<String> users) {
    this.match = match;
    this.users = users;
  }

  Read read(@Nullable Guard guard) {
    Read read = readAll(guard);
    if (read.matching().looksForInjections()) {
      InjectionWall.prepare();
    }
    return read;
  }

  private Read readAll(@Nullable Guard guard) {
    Section section = match;
    Set<StatementTrait> traits = EnumSet.noneOf(StatementTrait.class);
    int moreThan = 0;
    if (guard != null) {
      traits.addAll(guard.traits());
      moreThan = guard.moreThanDataSources();
    }
    if (section == null) {
      Set<StatementKind> kinds = guard == null ? Set.of() : guard.kinds();
      return new Read(
          new QueryRule.Matching(
              Set.of(), null, null, kinds, Set.of(), Set.of(), Set.of(), Set.of(), List.of(),
              Map.of(), traits, moreThan),
          List.of());
    }
    for (StatementTrait trait : StatementTrait.values()) {
      if (section.flag(trait.key(), false)) {
        traits.add(trait);
      }
    }
    List<Named> databases = names(section, "databases");
    var matching =
        new QueryRule.Matching(
            digests(section),
            pattern(section, "digestPattern"),
            pattern(section, "pattern"),
            kinds(section, guard),
            lower(names(section, "tables")),
            lower(databases),
            users(section, "users"),
            users(section, "exceptUsers"),
            networks(section),
            hints(section),
            traits,
            section.integer("dataSourcesAbove", moreThan, 1, MOST_DATA_SOURCES));
    section.close();
    return new Read(matching, databases);
  }

  private static Set<String> digests(Section match) {
    Set<String> digests = new LinkedHashSet<>();
    for (Named digest : names(match, "digests")) {
      checkDigest(digest.place(), digest.name());
      digests.add(digest.name().toLowerCase(Locale.ROOT));
    }
    return digests;
  }

  static void checkDigest(Value place, String digest) {
    if (!digest.matches("[0-9A-Fa-f]{32}")) {
      place.error(
          "is no digest: " + digest, "take the 32 digits from `digest` of anabranch.digests");
    }
  }

  private static @Nullable TextPattern pattern(Section match, String key) {
    Value value = match.value(key);
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return null;
    }
    try {
      return TextPattern.of(text);
    } catch (IllegalArgumentException e) {
      value.error(
          "is no regular expression: " + e.getMessage(),
          "see https://github.com/google/re2/wiki/Syntax: no back references, no looking around");
      return null;
    }
  }

  private static Set<StatementKind> kinds(Section match, @Nullable Guard guard) {
    Set<StatementKind> kinds = EnumSet.noneOf(StatementKind.class);
    Set<StatementKind> known = guard == null || guard.kinds().isEmpty() ? KINDS : guard.kinds();
    for (Named kind : names(match, "kinds")) {
      String name = kind.name().toUpperCase(Locale.ROOT).replace(' ', '_');
      known.stream()
          .filter(each -> each.name().equals(name))
          .findFirst()
          .ifPresentOrElse(
              kinds::add,
              () ->
                  kind.place()
                      .error(
                          "there is no kind " + kind.name() + " here",
                          NearestName.suggestion(
                              name, known.stream().map(StatementKind::name).toList())));
    }
    return kinds.isEmpty() && guard != null ? guard.kinds() : kinds;
  }

  private Set<String> users(Section match, String key) {
    Set<String> named = new LinkedHashSet<>();
    for (Named user : names(match, key)) {
      named.add(user.name());
      if (!users.contains(user.name())) {
        user.place()
            .error("there is no user " + user.name(), NearestName.suggestion(user.name(), users));
      }
    }
    return named;
  }

  private static List<String> networks(Section match) {
    List<String> networks = new ArrayList<>();
    for (Named each : names(match, "networks")) {
      if (Network.parse(each.name()) == null) {
        each.place().error("is no network: " + each.name(), "write it as in 10.1.0.0/16");
      } else {
        networks.add(each.name());
      }
    }
    return networks;
  }

  private static Map<String, String> hints(Section match) {
    Map<String, String> hints = new HashMap<>();
    Section section = match.section("hints");
    if (section != null) {
      section
          .entries()
          .forEach(
              (key, value) -> {
                String text = value.text();
                hints.put(key.toLowerCase(Locale.ROOT).replace("_", ""), text == null ? "" : text);
              });
    }
    return hints;
  }

  private static Set<String> lower(List<Named> names) {
    return names.stream()
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  private static List<Named> names(Section match, String key) {
    List<Named> names = new ArrayList<>();
    for (Value item : match.items(key)) {
      String name = item.text();
      if (name != null) {
        names.add(new Named(item, name));
      }
    }
    Value value = match.value(key);
    if (value != null && names.isEmpty()) {
      value.error("names nothing", "leave the key out: then it is any");
    }
    return names;
  }
}
