package io.anabranch.frontend.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.Limit;
import io.anabranch.rules.model.protection.Limit.Connections;
import io.anabranch.rules.model.protection.Limit.Each;
import io.anabranch.rules.model.protection.Limit.Rate;
import io.anabranch.rules.model.protection.Limit.Scope;
import io.anabranch.rules.model.protection.Limit.Statements;
import io.anabranch.rules.model.protection.Limit.Transactions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LimitPartsTest {

  private static Limit limit(Scope scope, int connections, int statements, int rate) {
    return new Limit(
        "all",
        Each.NONE,
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        new Connections(connections, Rate.UNLIMITED),
        new Statements(statements, 0, 1000, new Rate(rate, 1)),
        new Transactions(60_000, 0),
        scope);
  }

  @Test
  void whatAClusterHasTogetherIsDivided() {
    var whole =
        new AtomicReference<>(
            List.of(limit(Scope.CLUSTER, 10, 1, 100), limit(Scope.PROXY, 10, 1, 100)));
    var parts = new LimitParts(whole::get);
    assertThat(parts.get()).isEqualTo(whole.get());
    parts.proxies(3);
    assertThat(parts.get())
        .containsExactly(limit(Scope.CLUSTER, 4, 1, 34), limit(Scope.PROXY, 10, 1, 100))
        .isSameAs(parts.get());
    whole.set(List.of(limit(Scope.CLUSTER, 0, 7, 0)));
    assertThat(parts.get()).containsExactly(limit(Scope.CLUSTER, 0, 3, 0));
    parts.proxies(0);
    assertThat(parts.get()).isEqualTo(whole.get());
  }
}
