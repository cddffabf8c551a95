package io.anabranch.rules.algorithm;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Typed reading of an algorithm's {@code props}. Collects what is wrong and remembers what was
 * asked for; {@link #check} then throws everything at once, unknown properties included.
 */
public final class AlgorithmProperties {

  /** Targets that one algorithm may have. */
  public static final int MAX_TARGETS = 100_000;

  private final Map<String, String> values;
  private final Set<String> known = new LinkedHashSet<>();
  private final List<InvalidPropertiesException.Violation> violations = new ArrayList<>();

  public AlgorithmProperties(Map<String, String> values) {
    this.values = values;
  }

  public boolean isPresent(String name) {
    known.add(name);
    return values.containsKey(name);
  }

  public String text(String name, String otherwise) {
    known.add(name);
    String value = values.get(name);
    return value == null ? otherwise : value;
  }

  /** Names that begin so, in the order of the definition. */
  public List<String> names(String prefix) {
    return values.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
  }

  /** Empty if it is missing; then {@link #isValid} is false. */
  public String requiredText(String name) {
    String value = text(name, "");
    if (value.isBlank()) {
      problem(name, "is required");
    }
    return value;
  }

  /** A required number of targets. */
  public int count(String name) {
    known.add(name);
    if (!values.containsKey(name)) {
      problem(name, "is required");
      return 1;
    }
    return integer(name, 1, 1, MAX_TARGETS);
  }

  public int integer(String name, int otherwise, int min, int max) {
    long value = number(name, otherwise);
    if (value < min || value > max) {
      problem(name, "must be from " + min + " to " + max);
      return otherwise;
    }
    return (int) value;
  }

  public long requiredLong(String name) {
    known.add(name);
    if (!values.containsKey(name)) {
      problem(name, "is required");
      return 0;
    }
    return number(name, 0);
  }

  public boolean flag(String name, boolean otherwise) {
    String value = text(name, String.valueOf(otherwise));
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      problem(name, "must be true or false");
    }
    return value.equalsIgnoreCase("true");
  }

  public void problem(String name, String reason) {
    violations.add(new InvalidPropertiesException.Violation(name, reason, null));
  }

  public boolean isValid() {
    return violations.isEmpty();
  }

  /**
   * To be called once everything is read.
   *
   * @throws InvalidPropertiesException with everything that is wrong
   */
  public void check() {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        violations.add(
            new InvalidPropertiesException.Violation(
                name, "unknown property", NearestName.suggestion(name, known)));
      }
    }
    if (!violations.isEmpty()) {
      throw new InvalidPropertiesException(violations);
    }
  }

  private long number(String name, long otherwise) {
    String value = text(name, String.valueOf(otherwise)).strip();
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      problem(name, "must be an integer, not `" + value + "`");
      return otherwise;
    }
  }
}
