package io.anabranch.frontend.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.VariableValue;
import io.anabranch.backend.lease.VariableValue.Bytes;
import io.anabranch.backend.lease.VariableValue.Decimal;
import io.anabranch.backend.lease.VariableValue.Null;
import io.anabranch.backend.lease.VariableValue.Text;
import io.anabranch.backend.lease.VariableValue.Unsigned;
import io.anabranch.backend.lease.VariableValue.Whole;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.rewrite.MarkerLiterals;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class UserVariablesTest {

  private static Stream<Arguments> greetings() {
    return Stream.of("10.11.6-MariaDB", "8.4.3").map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("greetings")
  void valuesAreWrittenForMySqlWhateverClientsAreGreetedAs(String greeting) {
    assertWritten(
        greeting, false, new Bytes("31"), "_binary x'31'", "_binary x'31'", "_binary x'31'");
    assertWritten(greeting, false, new Decimal("1.5"), "1.5", "CAST(1.5 AS DECIMAL(65,30))", "1.5");
    assertWritten(greeting, false, new Whole("2"), "2", "@`p`", "(2+0)");
    assertWritten(greeting, false, new Null(new Whole("7")), "NULL", "NULL", "NULL");
  }

  @ParameterizedTest
  @MethodSource("greetings")
  void valuesAreWrittenForMariaDbWhateverClientsAreGreetedAs(String greeting) {
    assertWritten(greeting, true, new Bytes("31"), "x'31'", "x'31'", "x'31'");
    assertWritten(greeting, true, new Decimal("1.5"), "1.5", "1.5", "1.5");
    assertWritten(greeting, true, new Whole("2"), "2", "@`p`", "2");
    assertWritten(greeting, true, new Unsigned("7"), "7", "7", "7");
    assertWritten(greeting, true, new Null(new Whole("7")), "NULL", "NULL", "NULL");
  }

  /** What Java reads as other letters, or as none, stays as the server has told it. */
  @ParameterizedTest
  @CsvSource({
    "euckr_korean_ci, B397, _euckr x'B397' COLLATE euckr_korean_ci",
    "latin1_swedish_ci, 90, _latin1 x'90' COLLATE latin1_swedish_ci",
    "tis620_thai_ci, 80, _tis620 x'80' COLLATE tis620_thai_ci",
    "ujis_japanese_ci, FCDD, _ujis x'FCDD' COLLATE ujis_japanese_ci"
  })
  void lettersThatJavaLacksAreWrittenAsTheyAreKept(String collation, String hex, String kept) {
    assertWritten("8.4.3", false, text(collation, hex), kept, kept, kept);
    assertWritten("8.4.3", true, text(collation, hex), kept, kept, kept);
    VariableValue known = text("latin1_swedish_ci", "E9");
    assertWritten("8.4.3", true, known, "'\u00e9'", "'\u00e9'", "'\u00e9'");
  }

  private static VariableValue text(String collation, String hex) {
    return new Text(Objects.requireNonNull(Collation.byName(collation)), hex);
  }

  private static void assertWritten(
      String greeting,
      boolean isMariaDb,
      VariableValue value,
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
    session.settings(session.settings().assigned(Map.of("@`p`", value)));
    Backend on = Objects.requireNonNull(deployment.backend("shop"));
    MarkerLiterals.Value written = UserVariables.parameter(session, on, "p");
    assertThat(UserVariables.literal(session, on, "p")).isEqualTo(literal);
    assertThat(written.literal()).isEqualTo(literal);
    assertThat(written.operand()).isEqualTo(operand);
    assertThat(written.key()).isEqualTo(key);
    assertThat(UserVariables.showsDigits(session, on, "p"))
        .isEqualTo(!isMariaDb && value instanceof Decimal);
  }
}
