package io.anabranch.frontend.rule;

import io.anabranch.rules.model.protection.QueryRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * How often statements have met each rule, by its name: what was counted stays when a rule changes.
 * Thread-safe.
 */
public final class RuleCounts {

  /**
   * A rule in force.
   *
   * @param position in which it is asked, from 1
   */
  public record Counted(QueryRule rule, int position, RuleCount count) {}

  private final Supplier<List<QueryRule>> rules;
  private final LongSupplier nanoTime;
  private final Map<String, RuleCount> counts = new ConcurrentHashMap<>();
  private volatile List<QueryRule> seen = List.of();
  private volatile Consumer<List<Counted>> listener = _ -> {};

  /**
   * @param rules those of the configuration in force; the same list as long as it is
   * @param nanoTime nanoseconds of a clock without an epoch
   */
  public RuleCounts(Supplier<List<QueryRule>> rules, LongSupplier nanoTime) {
    this.rules = rules;
    this.nanoTime = nanoTime;
  }

  /** Who is told of the rules in force, now and whenever others are. */
  public synchronized void listener(Consumer<List<Counted>> told) {
    listener = told;
    told.accept(all());
  }

  /** The count of the rule of that name. */
  public RuleCount of(String name) {
    return counts.computeIfAbsent(name, _ -> new RuleCount(nanoTime));
  }

  /** All rules in force, in the order in which they are asked. */
  public List<Counted> all() {
    var all = new ArrayList<Counted>();
    for (QueryRule rule : rules.get()) {
      all.add(new Counted(rule, all.size() + 1, of(rule.name())));
    }
    return all;
  }

  /** Follows the configuration: what is not there any more is forgotten. */
  @SuppressWarnings("ReferenceEquality") // rules are replaced, never changed
  public synchronized void refresh() {
    List<QueryRule> present = rules.get();
    if (present == seen) {
      return;
    }
    seen = present;
    Set<String> names = present.stream().map(QueryRule::name).collect(Collectors.toSet());
    counts.keySet().retainAll(names);
    listener.accept(all());
  }

  /** Forgets what was counted. */
  public void clear() {
    counts.values().forEach(RuleCount::clear);
  }
}
