package io.anabranch.rules.algorithm;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Properties of an algorithm that it cannot work with: all of them at once. */
public final class InvalidPropertiesException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<Violation> violations;

  public InvalidPropertiesException(List<Violation> violations) {
    super(
        violations.stream()
            .map(each -> each.property() + " " + each.reason())
            .collect(Collectors.joining("; ")));
    this.violations = List.copyOf(violations);
  }

  public List<Violation> violations() {
    return violations;
  }

  /**
   * @param reason without the property's name
   * @param suggestion null if there is none
   */
  public record Violation(String property, String reason, @Nullable String suggestion) {}
}
