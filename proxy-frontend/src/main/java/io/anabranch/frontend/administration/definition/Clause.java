package io.anabranch.frontend.administration.definition;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.algorithm.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a definition: {@code name}, {@code name = value} or {@code name (part, …)}.
 *
 * @param name a word, or a name or a value that stands alone; as it is meant, without quotes
 * @param value null without an equals sign
 * @param parts what stands in its parentheses
 */
public record Clause(String name, @Nullable String value, List<Clause> parts) {

  public Clause {
    parts = List.copyOf(parts);
  }

  boolean is(String word) {
    return name.equalsIgnoreCase(word);
  }

  /** Null if there is none. */
  @Nullable Clause part(String word) {
    for (Clause part : parts) {
      if (part.is(word)) {
        return part;
      }
    }
    return null;
  }

  /** Null if it is left out. */
  @Nullable String text(String word) {
    Clause part = part(word);
    return part == null ? null : part.value();
  }

  /**
   * A part's value.
   *
   * @throws ConfigurationRefusedException if it is left out
   */
  String required(String word) {
    String text = text(word);
    if (text == null) {
      throw refused("`" + name + "` needs " + word + " = …");
    }
    return text;
  }

  /**
   * The value of a property. Where there is none it is not named: with the equals sign forgotten
   * the name is the secret.
   *
   * @throws ConfigurationRefusedException if it is left out
   */
  String property() {
    if (value == null) {
      throw refused("a property has no value; write PROPERTIES('key' = value, …)");
    }
    return value;
  }

  /** Names that stand in its parentheses, or its one value. */
  List<String> names() {
    if (value != null) {
      return List.of(value);
    }
    return parts.stream().map(Clause::name).toList();
  }

  /**
   * The values of {@code word = a, b}: what follows the equals sign up to the next part that is
   * more than a name.
   */
  List<String> values(String word) {
    var values = new ArrayList<String>();
    boolean isInside = false;
    for (Clause part : parts) {
      boolean isName = part.value() == null && part.parts().isEmpty();
      String first = part.value();
      if (part.is(word) && first != null) {
        values.add(first);
        isInside = true;
      } else if (isInside && isName) {
        values.add(part.name());
      } else {
        isInside = false;
      }
    }
    return values;
  }

  /**
   * Looks for parts that nobody reads: unknown ones, values that are there twice, and words alone,
   * but for further {@link #values} behind an equals sign.
   *
   * @throws ConfigurationRefusedException if there is one
   */
  void takeOnly(String... words) {
    List<String> known = List.of(words);
    var given = new HashSet<String>();
    boolean isInside = false;
    for (Clause part : parts) {
      boolean isAlone = part.value() == null && part.parts().isEmpty();
      boolean isKnown = known.stream().anyMatch(part::is);
      if (isAlone && isInside && !isKnown) {
        continue;
      }
      isInside = part.value() != null;
      if (!isKnown) {
        String nearest = NearestName.suggestion(part.name().toUpperCase(Locale.ROOT), known);
        throw refused(
            "`" + name + "` has no part " + part.name() + (nearest == null ? "" : "; " + nearest));
      }
      String word = part.name().toUpperCase(Locale.ROOT);
      if (isAlone) {
        throw refused("`" + name + "` has " + word + " without a value");
      }
      if (isInside && !given.add(word)) {
        throw refused("`" + name + "` has " + word + " twice");
      }
    }
  }

  /** Nothing is changed, for this reason. */
  static ConfigurationRefusedException refused(String reason) {
    return new ConfigurationRefusedException(List.of(reason));
  }

  /** Says nothing of what is in it: there may be a password. */
  @Override
  public String toString() {
    return name;
  }
}
