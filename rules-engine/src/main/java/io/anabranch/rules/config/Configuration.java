package io.anabranch.rules.config;

import io.anabranch.rules.model.RuleSet;
import java.util.List;

/**
 * What a valid configuration says.
 *
 * @param notices what the operator should read in the log: unused definitions, old forms, keys that
 *     are accepted but have no effect
 */
public record Configuration(RuleSet ruleSet, List<Problem> notices) {

  public Configuration {
    notices = List.copyOf(notices);
  }
}
