package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Query rules: {@code queryRules} of the global file. Keys are written as words with underscores;
 * what they may be, and what they mean, is told by whoever reads the file that is made.
 */
public final class QueryRuleDefinition {

  private static final String RULES = "queryRules";

  private QueryRuleDefinition() {}

  /**
   * CREATE QUERY RULE: behind those that are there.
   *
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument create(
      ConfigurationDocument document, List<Clause> rules, boolean isLenient) {
    ConfigurationDocument changed = document;
    for (Clause rule : rules) {
      if (changed.at(RULES, step(rule.name())) == null) {
        changed = changed.with(definition(rule), RULES, step(rule.name()));
      } else if (!isLenient) {
        throw Clause.refused("there is a query rule `" + rule.name() + "` already");
      }
    }
    return changed;
  }

  /** ALTER QUERY RULE: another one in its place. */
  public static ConfigurationDocument alter(ConfigurationDocument document, List<Clause> rules) {
    ConfigurationDocument changed = document;
    for (Clause rule : rules) {
      requireKnown(changed, rule.name());
      Mapping former =
          changed.at(RULES, step(rule.name())) instanceof Mapping is ? is : Mapping.EMPTY;
      Mapping wanted = definition(rule);
      for (Map.Entry<String, DocumentPart> each : wanted.entries().entrySet()) {
        changed = changed.with(each.getValue(), RULES, step(rule.name()), each.getKey());
      }
      for (String key : former.entries().keySet()) {
        if (!wanted.has(key)) {
          changed = changed.without(RULES, step(rule.name()), key);
        }
      }
    }
    return changed;
  }

  /**
   * DROP QUERY RULE.
   *
   * @param isLenient those that are not there are passed over
   */
  public static ConfigurationDocument drop(
      ConfigurationDocument document, List<String> names, boolean isLenient) {
    ConfigurationDocument changed = document;
    for (String name : names) {
      if (!isLenient) {
        requireKnown(changed, name);
      }
      changed = changed.without(RULES, step(name));
    }
    return changed;
  }

  /** All of them, in the order in which they are asked. */
  public static List<Mapping> all(ConfigurationDocument document) {
    var rules = new ArrayList<Mapping>();
    if (document.at(RULES) instanceof Listing listing) {
      for (DocumentPart item : listing.items()) {
        if (item instanceof Mapping rule) {
          rules.add(rule);
        }
      }
    }
    return rules;
  }

  private static String step(String name) {
    return "{" + name + "}";
  }

  private static void requireKnown(ConfigurationDocument document, String name) {
    if (document.at(RULES, step(name)) == null) {
      throw Clause.refused("there is no query rule `" + name + "`");
    }
  }

  private static Mapping definition(Clause rule) {
    if (rule.parts().isEmpty()) {
      throw Clause.refused(
          "`" + rule.name() + "` needs what it does in parentheses: (MATCH(…), DENY = '…')");
    }
    var entries = new LinkedHashMap<String, DocumentPart>();
    entries.put("name", new Scalar("", rule.name()));
    for (Clause part : rule.parts()) {
      entries.put(key(part.name()), part.is("MATCH") ? match(part) : scalar(part));
    }
    return new Mapping("", entries);
  }

  private static Mapping match(Clause match) {
    var entries = new LinkedHashMap<String, DocumentPart>();
    for (Clause part : match.parts()) {
      if (part.is("HINTS")) {
        var hints = new LinkedHashMap<String, DocumentPart>();
        part.parts().forEach(hint -> hints.put(hint.name(), scalar(hint)));
        entries.put(key(part.name()), new Mapping("", hints));
      } else if (part.parts().isEmpty()) {
        entries.put(key(part.name()), scalar(part));
      } else {
        entries.put(
            key(part.name()),
            new Listing(
                "",
                part.names().stream().<DocumentPart>map(name -> new Scalar("", name)).toList()));
      }
    }
    return new Mapping("", entries);
  }

  private static Scalar scalar(Clause part) {
    String value = part.value();
    return new Scalar("", value == null ? "" : value);
  }

  /** {@code MAX_ROWS} as {@code maxRows}. */
  private static String key(String words) {
    var key = new StringBuilder();
    for (String word : words.split("_", -1)) {
      String lower = word.toLowerCase(Locale.ROOT);
      key.append(
          key.isEmpty() || lower.isEmpty()
              ? lower
              : lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1));
    }
    return key.toString();
  }
}
