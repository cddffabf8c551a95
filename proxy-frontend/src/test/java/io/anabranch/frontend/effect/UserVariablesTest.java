package io.anabranch.frontend.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.TypedNull;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.rules.rewrite.MarkerLiterals;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserVariablesTest {

  private static Stream<Arguments> greetings() {
    return Stream.of("10.11.6-MariaDB", "8.4.3").map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("greetings")
  void valuesAreWrittenForMySqlWhateverClientsAreGreetedAs(String greeting) {
    assertWritten(greeting, false, "x'31'", "_binary x'31'", "_binary x'31'", "_binary x'31'");
    assertWritten(greeting, false, "1.5", "1.5", "CAST(1.5 AS DECIMAL(65,30))", "1.5");
    assertWritten(greeting, false, "2", "2", "@`p`", "(2+0)");
    assertWritten(greeting, false, "NULL", "NULL", "NULL", "NULL");
    assertWritten(greeting, false, TypedNull.of("7"), "NULL", "NULL", "NULL");
  }

  @ParameterizedTest
  @MethodSource("greetings")
  void valuesAreWrittenForMariaDbWhateverClientsAreGreetedAs(String greeting) {
    assertWritten(greeting, true, "x'31'", "x'31'", "x'31'", "x'31'");
    assertWritten(greeting, true, "1.5", "1.5", "1.5", "1.5");
    assertWritten(greeting, true, "2", "2", "@`p`", "2");
    assertWritten(greeting, true, "CAST(7 AS UNSIGNED)", "7", "7", "7");
    assertWritten(greeting, true, "NULL", "NULL", "NULL", "NULL");
    assertWritten(greeting, true, TypedNull.of("7"), "NULL", "NULL", "NULL");
  }

  /** What Java reads as other letters, or as none, stays as the server has told it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "_euckr x'B397' COLLATE euckr_korean_ci",
        "_latin1 x'90' COLLATE latin1_swedish_ci",
        "_tis620 x'80' COLLATE tis620_thai_ci",
        "_ujis x'FCDD' COLLATE ujis_japanese_ci"
      })
  void lettersThatJavaLacksAreWrittenAsTheyAreKept(String kept) {
    assertWritten("8.4.3", false, kept, kept, kept, kept);
    assertWritten("8.4.3", true, kept, kept, kept, kept);
    assertWritten(
        "8.4.3",
        true,
        "_latin1 x'E9' COLLATE latin1_swedish_ci",
        "'\u00e9'",
        "'\u00e9'",
        "'\u00e9'");
  }

  private static void assertWritten(
      String greeting,
      boolean isMariaDb,
      String value,
      String literal,
      String operand,
      String key) {
    Deployment deployment = TestDeployment.create("x", isMariaDb).withServerVersion(greeting);
    var session =
        new Session(
            7,
            new EmbeddedChannel(),
            new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", 0, 45),
            () -> deployment,
            Runnable::run,
            MemoryBudget.unconfigured().session("test"),
            SessionLimits.none());
    session.settings(session.settings().with("@`p`", value));
    Backend on = Objects.requireNonNull(deployment.backend("shop"));
    MarkerLiterals.Value written = UserVariables.parameter(session, on, "p");
    assertThat(UserVariables.literal(session, on, "p")).isEqualTo(literal);
    assertThat(written.literal()).isEqualTo(literal);
    assertThat(written.operand()).isEqualTo(operand);
    assertThat(written.key()).isEqualTo(key);
    assertThat(UserVariables.showsDigits(session, on, "p"))
        .isEqualTo(!isMariaDb && value.equals("1.5"));
  }
}
