package io.anabranch.rules.model.shadow;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import io.anabranch.rules.algorithm.shadow.ShadowMatcher;
import io.anabranch.rules.algorithm.shadow.ShadowMatcherProvider;
import io.anabranch.rules.model.protection.TextPattern;
import io.anabranch.rules.model.shadow.ShadowAlgorithm.Operation;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Makes shadow algorithms from their {@code type} and {@code props}: built-ins and providers'. */
public final class ShadowAlgorithms {

  private static final String COLUMN = "column";
  private static final String OPERATION = "operation";

  private final TypeCatalogue<ShadowAlgorithm> types = new TypeCatalogue<>("shadow algorithm");

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public ShadowAlgorithms(Collection<ShadowMatcherProvider> providers) {
    types.builtIn("VALUE_MATCH", ShadowAlgorithms::valueMatch);
    types.builtIn("REGEX_MATCH", ShadowAlgorithms::regexMatch);
    types.builtIn("SQL_HINT", ShadowAlgorithms::hint);
    types.builtIn("USER_MATCH", ShadowAlgorithms::userMatch);
    for (ShadowMatcherProvider provider : providers) {
      types.provided(provider::type, (guard, properties) -> provided(guard, provider, properties));
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws InvalidPropertiesException with everything that is wrong, by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public ShadowAlgorithm of(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }

  /** Column and operation are read here, so that they mean the same for every type. */
  private static ShadowAlgorithm provided(
      PlugInGuard guard, ShadowMatcherProvider provider, Map<String, String> properties) {
    var others = new HashMap<>(properties);
    var own = new HashMap<String, String>();
    for (String name : List.of(COLUMN, OPERATION)) {
      String value = others.remove(name);
      if (value != null) {
        own.put(name, value);
      }
    }
    ShadowMatcher plugIn = guard.made(() -> provider.create(Map.copyOf(others)));
    return column(new AlgorithmProperties(own), value -> guard.asked(() -> plugIn.matches(value)));
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
    String column = properties.requiredText(COLUMN).toLowerCase(Locale.ROOT);
    String wanted = properties.requiredText(OPERATION).toUpperCase(Locale.ROOT);
    Operation operation =
        Arrays.stream(Operation.values())
            .filter(each -> each.name().equals(wanted))
            .findFirst()
            .orElse(null);
    if (operation == null) {
      properties.problem(OPERATION, "must be one of insert, update, delete, select");
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
