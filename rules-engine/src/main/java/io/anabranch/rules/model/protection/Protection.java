package io.anabranch.rules.model.protection;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What protects databases from clients.
 *
 * @param limits of what clients may take, in the order of the file
 * @param rules for statements, in the order in which they are asked
 * @param keepsAnswers whether one of them gives one session's answers to others
 */
public record Protection(List<Limit> limits, List<QueryRule> rules, boolean keepsAnswers) {

  public static final Protection NONE = new Protection(List.of(), List.of());

  public Protection(List<Limit> limits, List<QueryRule> rules) {
    this(limits, rules, rules.stream().anyMatch(rule -> rule.actions().shares()));
  }

  public Protection {
    limits = List.copyOf(limits);
    rules = List.copyOf(rules);
  }

  /** Whether the texts of some of the user's statements must be known. */
  public boolean looksAtTextsOf(String user) {
    return rules.stream().anyMatch(rule -> rule.matching().concerns(user))
        || limits.stream().anyMatch(limit -> !limit.digests().isEmpty() && limit.concerns(user));
  }

  /** Keys of hints that rules look at, as {@link QueryRule.Matching#hints} has them. */
  public Set<String> hints() {
    return rules.stream()
        .flatMap(rule -> rule.matching().hints().keySet().stream())
        .collect(Collectors.toSet());
  }
}
