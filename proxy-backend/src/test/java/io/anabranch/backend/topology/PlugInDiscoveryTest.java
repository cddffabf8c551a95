package io.anabranch.backend.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.discovery.DiscoveryCatalogue;
import io.anabranch.rules.discovery.PrimaryDiscovery;
import io.anabranch.rules.discovery.PrimaryDiscoveryProvider;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups whose primary a plug-in names. */
class PlugInDiscoveryTest {

  private PrimaryDiscovery answer = (_, _, _) -> Optional.empty();

  private final Topology topology =
      Groups.topology(
          TransactionalReads.PRIMARY,
          Balancing.ROUND_ROBIN,
          Discovery.by(
              new DiscoveryCatalogue(Set.of(), List.of(new Provider())).discovery("OWN", Map.of()),
              1000),
          "r0",
          "r1");

  /** Asks what the test says. */
  private final class Provider implements PrimaryDiscoveryProvider {
    @Override
    public String type() {
      return "own";
    }

    @Override
    public PrimaryDiscovery create(Map<String, String> properties) {
      return (group, members, current) -> answer.primary(group, members, current);
    }
  }

  private @Nullable String writer() {
    Member member = topology.member("g", Access.WRITE, null, 0);
    return member == null ? null : member.name();
  }

  private void names(String name) {
    answer = (_, _, _) -> Optional.of(name);
  }

  private void allAnswer() {
    topology.answered("p", Groups.primary("1"));
    topology.answered("r0", Groups.primary("2"));
    topology.answered("r1", Groups.replica("3", "1"));
  }

  @Test
  void writesWaitUntilItNamesOne() {
    assertThat(writer()).isNull();
    allAnswer();
    assertThat(writer()).isNull();
    names("r0");
    allAnswer();
    assertThat(writer()).isEqualTo("r0");
    names("p");
    allAnswer();
    assertThat(writer()).isEqualTo("p");
    answer = (_, _, _) -> Optional.empty();
    allAnswer();
    assertThat(writer()).isNull();
  }

  @Test
  void writesWaitUntilWhomItNamesHasAnswered() {
    names("r0");
    topology.answered("p", Groups.primary("1"));
    assertThat(writer()).isNull();
    topology.answered("r0", Groups.primary("2"));
    assertThat(writer()).isEqualTo("r0");
  }

  @Test
  void isToldWhatMembersSay() {
    answer =
        (group, members, _) -> {
          assertThat(group).isEqualTo("g");
          return members.stream()
              .filter(each -> each.isAnswering() && !each.isReadOnly())
              .filter(each -> each.sourceIdentity().isEmpty() && each.identity().equals("2"))
              .map(PrimaryDiscovery.Candidate::name)
              .findFirst();
        };
    allAnswer();
    assertThat(writer()).isEqualTo("r0");
  }

  @Test
  void writesWaitWhereItNamesOneThatIsReadOnlyOrDown() {
    names("r1");
    allAnswer();
    assertThat(writer()).isNull();
    names("p");
    allAnswer();
    assertThat(writer()).isEqualTo("p");
    topology.failed("p", "gone");
    topology.failed("p", "gone");
    assertThat(writer()).isNull();
  }

  @Test
  void writesWaitWhereItFailsAndThePrimaryHasBecomeReadOnly() {
    names("p");
    allAnswer();
    answer = (_, _, _) -> Optional.of("nobody");
    topology.answered("p", Groups.replica("1", "2"));
    assertThat(writer()).isNull();
    topology.answered("p", Groups.primary("1"));
    assertThat(writer()).isEqualTo("p");
  }

  @Test
  void whatItDoesToItsListIsItsOwn() {
    answer =
        (_, members, _) -> {
          members.clear();
          return Optional.empty();
        };
    allAnswer();
    assertThat(topology.status().getFirst().members()).hasSize(3);
    names("r0");
    allAnswer();
    assertThat(writer()).isEqualTo("r0");
  }

  static Stream<PrimaryDiscovery> failing() {
    return Stream.of(
        (_, _, _) -> {
          throw new IllegalStateException("not told");
        },
        (_, _, _) -> {
          throw new NoClassDefFoundError("org/example/Missing");
        },
        (_, _, _) -> {
          throw new StackOverflowError();
        },
        (_, _, _) -> Optional.of("nobody"));
  }

  @ParameterizedTest
  @MethodSource("failing")
  void thePrimaryStaysWhereItFails(PrimaryDiscovery failure) {
    answer = failure;
    allAnswer();
    assertThat(writer()).isNull();
    names("r0");
    allAnswer();
    answer = failure;
    allAnswer();
    allAnswer();
    assertThat(writer()).isEqualTo("r0");
    List<String> told =
        topology.status().getFirst().events().stream().map(GroupStatus.Event::text).toList();
    assertThat(told)
        .filteredOn(text -> text.contains("r0 stays the primary: AB2092"))
        .hasSize(1)
        .noneMatch(text -> text.contains("not told"));
  }
}
