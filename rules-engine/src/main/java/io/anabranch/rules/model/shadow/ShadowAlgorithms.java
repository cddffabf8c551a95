package io.anabranch.rules.model.shadow;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.model.protection.TextPattern;
import io.anabranch.rules.model.shadow.ShadowAlgorithm.Operation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Makes shadow algorithms from their {@code type} and {@code props}. */
public final class ShadowAlgorithms {

  private static final Map<String, Function<AlgorithmProperties, ShadowAlgorithm>> TYPES =
      Map.of(
          "VALUE_MATCH", ShadowAlgorithms::valueMatch,
          "REGEX_MATCH", ShadowAlgorithms::regexMatch,
          "SQL_HINT", ShadowAlgorithms::hint,
          "USER_MATCH", ShadowAlgorithms::userMatch);

  private ShadowAlgorithms() {}

  /** Upper snake case. */
  public static Set<String> types() {
    return TYPES.keySet();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws InvalidPropertiesException with everything that is wrong
   */
  public static ShadowAlgorithm of(String type, Map<String, String> properties) {
    Function<AlgorithmProperties, ShadowAlgorithm> maker = TYPES.get(type.toUpperCase(Locale.ROOT));
    if (maker == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return maker.apply(new AlgorithmProperties(properties));
  }

  private static ShadowAlgorithm valueMatch(AlgorithmProperties properties) {
    String value = properties.requiredText("value");
    return column(properties, value::equals);
  }

  /** The whole value, by RE2: time is proportional to it. */
  private static ShadowAlgorithm regexMatch(AlgorithmProperties properties) {
    Predicate<String> matcher = text -> false;
    String expression = properties.requiredText("regex");
    try {
      TextPattern pattern = TextPattern.of("(?-i:\\A(?:" + expression + ")\\z)");
      matcher = pattern::isIn;
    } catch (IllegalArgumentException e) {
      properties.problem("regex", String.valueOf(e.getMessage()));
    }
    return column(properties, matcher);
  }

  private static ShadowAlgorithm column(AlgorithmProperties properties, Predicate<String> matcher) {
    String column = properties.requiredText("column").toLowerCase(Locale.ROOT);
    String wanted = properties.requiredText("operation").toUpperCase(Locale.ROOT);
    Operation operation =
        Arrays.stream(Operation.values())
            .filter(each -> each.name().equals(wanted))
            .findFirst()
            .orElse(null);
    if (operation == null) {
      properties.problem("operation", "must be one of insert, update, delete, select");
      properties.check();
      throw new IllegalStateException("an operation that was reported");
    }
    properties.check();
    return new ShadowAlgorithm.Column(column, operation, matcher);
  }

  private static ShadowAlgorithm hint(AlgorithmProperties properties) {
    // ShardingSphere's samples have `shadow: true` and `foo: bar` here
    properties.text("shadow", "");
    properties.text("foo", "");
    properties.check();
    return new ShadowAlgorithm.Hint();
  }

  private static ShadowAlgorithm userMatch(AlgorithmProperties properties) {
    String listed = properties.requiredText("users");
    properties.check();
    return new ShadowAlgorithm.User(
        Arrays.stream(listed.split(",", -1))
            .map(user -> user.strip().toLowerCase(Locale.ROOT))
            .filter(user -> !user.isEmpty())
            .collect(Collectors.toUnmodifiableSet()));
  }
}
