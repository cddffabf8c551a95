package io.anabranch.frontend.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.RuleMask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whom rules concern, and what is counted of them. */
class SessionRulesTest {

  private List<QueryRule> rules = List.of();
  private final RuleCounts counts = new RuleCounts(() -> rules, () -> 0);
  private final SessionRules session = new SessionRules(counts);

  private static QueryRule rule(String name, Set<String> users, String... networks) {
    return new QueryRule(
        name,
        new QueryRule.Matching(
            Set.of(),
            null,
            null,
            Set.of(),
            Set.of(),
            Set.of(),
            users,
            Set.of("nobody"),
            List.of(networks),
            Map.of(),
            Set.of(),
            0),
        new QueryRule.Actions(null, null, null, 0, 0, 0, 0, 0, null, null, 0, false, null, true),
        false,
        false);
  }

  private List<Integer> concerned(String user, String host) {
    RuleMask all = RuleMask.of(rules.size(), _ -> true);
    RuleMask own = session.of(rules, user, host);
    var found = new ArrayList<Integer>();
    for (int at = own.next(all, 0); at >= 0; at = own.next(all, at + 1)) {
      found.add(at);
    }
    return found;
  }

  @Test
  void usersAndNetworks() {
    rules =
        List.of(
            rule("all", Set.of()),
            rule("app", Set.of("app")),
            rule("near", Set.of(), "10.1.0.0/16", "::1"),
            rule("both", Set.of("app"), "10.1.2.3"));
    assertThat(concerned("app", "10.1.2.3")).containsExactly(0, 1, 2, 3);
    assertThat(concerned("app", "10.2.2.3")).containsExactly(0, 1);
    assertThat(concerned("batch", "::1")).containsExactly(0, 2);
    assertThat(concerned("batch", "localhost")).containsExactly(0);
    assertThat(concerned("nobody", "10.1.2.3")).isEmpty();
    rules = List.of(rule("app", Set.of("batch")));
    assertThat(concerned("batch", "localhost")).containsExactly(0);
  }

  @Test
  void countsStayWithTheNamesOfRules() {
    rules = List.of(rule("a", Set.of()), rule("b", Set.of()));
    counts.refresh();
    concerned("app", "::1");
    session.count(1).add(new RuleHit(Instant.EPOCH, "app", "::1", "shop", "00"));
    rules = List.of(rule("b", Set.of("app")), rule("c", Set.of()));
    counts.refresh();
    concerned("app", "::1");
    session.count(0).add(new RuleHit(Instant.EPOCH, "app", "::1", "shop", "01"));
    assertThat(counts.all().stream().map(each -> each.rule().name() + each.count().hits()))
        .containsExactly("b2", "c0");
    assertThat(counts.of("b").last()).extracting(RuleHit::digest).isEqualTo("01");
    counts.clear();
    assertThat(counts.of("b").hits()).isZero();
    assertThat(counts.of("b").last()).isNull();
  }

  @Test
  void placesAreGivenBack() {
    RuleCount count = counts.of("a");
    assertThat(count.enter(2)).isTrue();
    assertThat(count.enter(2)).isTrue();
    assertThat(count.enter(2)).isFalse();
    assertThat(count.enter(3)).isTrue();
    count.leave();
    count.leave();
    assertThat(count.enter(2)).isTrue();
    assertThat(count.enter(2)).isFalse();
  }
}
