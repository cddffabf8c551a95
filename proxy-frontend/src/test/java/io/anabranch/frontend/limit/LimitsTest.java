package io.anabranch.frontend.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.model.protection.Limit;
import io.anabranch.rules.model.protection.Limit.Connections;
import io.anabranch.rules.model.protection.Limit.Each;
import io.anabranch.rules.model.protection.Limit.Rate;
import io.anabranch.rules.model.protection.Limit.Statements;
import io.anabranch.rules.model.protection.Limit.Transactions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Shares of limits, by a configuration and a clock that the test changes. */
class LimitsTest {
  private List<Limit> definitions = List.of();
  private long now;
  private final Limits limits = new Limits(() -> definitions, () -> now);
  private final SessionLimits session = new SessionLimits(limits);

  private static Limit limit(String name, Each each, Connections connections, int statements) {
    return new Limit(
        name,
        each,
        Set.of(),
        Set.of("admin"),
        Set.of(),
        Set.of(),
        connections,
        new Statements(statements, 10, 1000, Rate.UNLIMITED),
        Transactions.UNLIMITED,
        Limit.Scope.CLUSTER);
  }

  private static Connections most(int connections) {
    return new Connections(connections, Rate.UNLIMITED);
  }

  private SubjectLimits share(String user, @Nullable String database) {
    return session.of(user, database).getFirst();
  }

  private List<String> uses() {
    return limits.uses().stream()
        .map(use -> use.limit() + " " + use.kind() + " " + use.subject() + " " + use.inUse())
        .toList();
  }

  @Test
  void noneConcernNobody() {
    assertThat(session.of("app", "shop")).isEmpty();
    definitions = List.of(limit("all", Each.NONE, Connections.UNLIMITED, 1));
    assertThat(session.of("app", "shop")).hasSize(1);
    assertThat(session.of("admin", "shop")).isEmpty();
  }

  private List<String> shares(String user, String digest) {
    return session.of(user, "shop", digest.hashCode(), () -> digest).stream()
        .map(share -> share.limit().name() + " " + share.subject())
        .toList();
  }

  private static Limit ofDigests(String name, Each each, String... digests) {
    return new Limit(
        name,
        each,
        Set.of(),
        Set.of("admin"),
        Set.of(),
        Set.of(digests),
        Connections.UNLIMITED,
        new Statements(1, 0, 1000, Rate.UNLIMITED),
        Transactions.UNLIMITED,
        Limit.Scope.PROXY);
  }

  @Test
  void someConcernTheStatementsThatTheyName() {
    definitions =
        List.of(
            limit("all", Each.NONE, Connections.UNLIMITED, 3),
            ofDigests("together", Each.NONE, "a", "b"),
            ofDigests("own", Each.DIGEST, "b", "c"));
    assertThat(session.of("app", "shop")).as("whatever is sent").hasSize(1);
    assertThat(shares("app", "a")).containsExactly("together ", "all ");
    assertThat(shares("app", "b")).containsExactly("own b", "together ", "all ");
    assertThat(shares("app", "c")).containsExactly("own c", "all ");
    assertThat(shares("app", "d")).containsExactly("all ");
    assertThat(shares("admin", "b")).isEmpty();
    definitions = List.of(ofDigests("together", Each.NONE, "d"));
    assertThat(shares("app", "b")).as("of other limits").isEmpty();
    assertThat(shares("app", "d")).containsExactly("together ");
  }

  @Test
  void eachHasItsShare() {
    definitions =
        List.of(
            limit("all", Each.NONE, Connections.UNLIMITED, 3),
            limit("users", Each.USER, Connections.UNLIMITED, 1),
            limit("databases", Each.DATABASE, Connections.UNLIMITED, 2));
    assertThat(session.of("app", "shop"))
        .extracting(SubjectLimits::subject)
        .as("one's own share is taken first")
        .containsExactly("app", "shop", "");
    assertThat(session.of("app", null))
        .extracting(SubjectLimits::subject)
        .containsExactly("app", "");
    assertThat(share("app", null).enter()).isTrue();
    assertThat(share("app", null).enter()).isFalse();
    assertThat(share("other", null).enter()).isTrue();
    assertThat(uses())
        .containsExactly(
            "all STATEMENTS null 0",
            "users STATEMENTS app 1",
            "users STATEMENTS other 1",
            "databases STATEMENTS shop 0");
  }

  @Test
  void connectionsAreCountedWhetherTheyAreLimitedOrNot() {
    limits.enter("app", null);
    limits.enter("app", null);
    limits.enter("other", null);
    definitions = List.of(limit("users", Each.USER, most(2), 0));
    assertThatThrownBy(() -> limits.enter("app", null))
        .hasMessageContaining("AB3031")
        .hasMessageContaining("'users'");
    limits.enter("other", null);
    limits.leave("app");
    assertThatCode(() -> limits.enter("app", null)).doesNotThrowAnyException();
    definitions = List.of(limit("all", Each.NONE, most(4), 0));
    assertThatThrownBy(() -> limits.enter("third", null)).hasMessageContaining("AB3030");
    limits.enter("admin", null);
    assertThat(uses()).containsExactly("all CONNECTIONS null 4");
  }

  @Test
  void whoChangesItsUserIsOneConnection() {
    definitions = List.of(limit("all", Each.NONE, most(1), 0));
    limits.enter("app", null);
    limits.enter("other", "app");
    limits.leave("app");
    assertThatThrownBy(() -> limits.enter("app", null)).hasMessageContaining("AB3030");
    assertThat(limits.uses().getFirst().reached()).isEqualTo(1);
  }

  @Test
  void loginsHaveTheirRate() {
    definitions = List.of(limit("logins", Each.USER, new Connections(0, new Rate(2, 1)), 0));
    limits.enter("app", null);
    assertThatThrownBy(() -> limits.enter("app", null))
        .hasMessageContaining("AB3032")
        .hasMessageContaining("try again in 501 ms");
    limits.enter("other", null);
    now += 500_000_000;
    limits.enter("app", null);
    assertThat(limits.uses()).extracting(LimitUse::reached).containsExactly(1L, 0L);
  }

  @Test
  void whatWasCountedStaysWhenNumbersChange() {
    definitions = List.of(limit("all", Each.NONE, Connections.UNLIMITED, 1));
    assertThat(share("app", null).enter()).isTrue();
    definitions = List.of(limit("all", Each.NONE, Connections.UNLIMITED, 2));
    assertThat(share("app", null).enter()).isTrue();
    assertThat(share("app", null).enter()).isFalse();
  }

  @Test
  void whoWaitsForALimitThatIsGoneGoesOn() {
    definitions = List.of(limit("all", Each.NONE, Connections.UNLIMITED, 1));
    SubjectLimits share = share("app", null);
    assertThat(share.enter()).isTrue();
    boolean[] admitted = new boolean[] {false};
    share.join(new QueuedStatement(Runnable::run, () -> admitted[0] = true), false);
    assertThat(admitted[0]).isFalse();
    definitions = List.of();
    limits.refresh();
    assertThat(admitted[0]).isTrue();
    assertThat(limits.uses()).isEmpty();
  }
}
