package io.anabranch.rules.planner.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.planner.FakeCatalog;
import io.anabranch.rules.planner.definition.RenamedTable.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Statements of two data sources, looked at before they run. */
class RenameStepsTest {

  private static RenameSteps over(String ofA, String ofB) {
    return new RenameSteps(new FakeCatalog(Map.of("a", tables(ofA), "b", tables(ofB))));
  }

  private static Map<String, List<String>> tables(String names) {
    return Arrays.stream(names.split(" ", -1))
        .collect(Collectors.toMap(name -> name, name -> List.of("id")));
  }

  /** The same steps, such as {@code t>u}, in both data sources. */
  private static List<List<Part>> both(String... steps) {
    return Stream.of("a", "b")
        .map(
            source ->
                Arrays.stream(steps)
                    .map(step -> step.split(">", -1))
                    .map(names -> new Part(source, names[0], names[1]))
                    .toList())
        .toList();
  }

  @Test
  void allRunWhereAllAreReady() {
    assertThat(over("t_0 t_1 x", "T_0 t_1").due(both("t_0>u_0", "t_1>u_1"), true))
        .containsExactly(0, 1);
    assertThat(over("a b", "a b").due(both("a>tmp", "b>a", "tmp>b"), true)).containsExactly(0, 1);
  }

  @Test
  void databasesTellWhatIsWrongEverywhere() {
    assertThat(over("x", "x").due(both("t>u"), true)).containsExactly(0, 1);
    assertThat(over("u", "t u").due(both("t>u"), true)).containsExactly(0, 1);
  }

  @Test
  void whatIsDoneIsLeftOut() {
    assertThat(over("u v", "t").due(both("t>u"), true)).containsExactly(1);
    assertThat(over("u_0 u_1", "t_0 t_1").due(both("t_0>u_0", "t_1>u_1"), true)).containsExactly(1);
  }

  @Test
  void noneRunsWhereSomeWouldFail() {
    assertThatThrownBy(() -> over("x", "t").due(both("t>u"), true))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("a [there is no 't']");
    assertThatThrownBy(() -> over("t", "t u").due(both("t>u"), true))
        .hasMessageContaining("b [there is 'u']");
    assertThatThrownBy(() -> over("t_0 u_1", "t_0 t_1").due(both("t_0>u_0", "t_1>u_1"), true))
        .hasMessageContaining("a [there is no 't_1', there is 'u_1']");
    assertThatThrownBy(() -> over("a", "a b").due(both("a>tmp", "b>a", "tmp>b"), true))
        .hasMessageContaining("a [there is no 'b']");
  }

  @Test
  void whatDoesMoreIsNotLeftOut() {
    assertThatThrownBy(() -> over("u", "t").due(both("t>u"), false))
        .hasMessageContaining("a ['t' is renamed already]");
  }
}
