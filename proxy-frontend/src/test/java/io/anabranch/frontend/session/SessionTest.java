package io.anabranch.frontend.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.planner.PlanScope;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SessionTest {

  private static final int LATIN1_SWEDISH_CI = 8;

  private final Deployment deployment = TestDeployment.create();
  private final Session session =
      new Session(
          7,
          new EmbeddedChannel(),
          new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", Capability.PROTOCOL_41, 45),
          () -> deployment,
          Runnable::run);

  @Test
  void aPermittedDatabaseBecomesThePlanScope() {
    session.database().use("SHOP");

    assertThat(session.database().scope())
        .extracting(scope -> scope.database().name())
        .isEqualTo("shop");
  }

  @Test
  void aDatabaseOfOthersIsRefusedAsMySqlDoes() {
    assertThatThrownBy(() -> session.database().use("hidden"))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1044));
  }

  @Test
  void statementsWithoutDatabaseRunOnThePermittedOne() {
    assertThat(session.anyBackend().database().name()).isEqualTo("shop");
  }

  @Test
  void statusFlagsAreTheSessionsOwn() {
    session.moreResults(true);

    int told = ServerStatus.NO_INDEX_USED | ServerStatus.AUTOCOMMIT;
    assertThat(session.sink().clientStatus(told))
        .isEqualTo(
            ServerStatus.NO_INDEX_USED
                | ServerStatus.AUTOCOMMIT
                | ServerStatus.MORE_RESULTS_EXISTS);

    session.moreResults(false);
    // a procedure has switched it off
    assertThat(session.sink().clientStatus(0)).isZero();
    session.transaction().autocommit(false);
    assertThat(session.sink().clientStatus(ServerStatus.AUTOCOMMIT)).isZero();
  }

  @Test
  void namesDecideHowStatementsAreRead() {
    session.database().use("shop");
    session.language().collation(LATIN1_SWEDISH_CI);
    session.language().mode(true, true);

    assertThat(session.charset()).isEqualTo(Charset.forName("windows-1252"));
    assertThat(session.database().scope()).extracting(PlanScope::ansiQuotes).isEqualTo(true);
    assertThat(session.lexerMode().noBackslashEscapes()).isTrue();
  }

  @Test
  void resetForgetsEverythingButTheDatabase() {
    session.database().use("shop");
    session.settings(session.settings().with("sql_mode", "''"));
    session.language().mode(true, false);
    session.statements().add(new PreparedStatement(1, new byte[0], 0));
    session.diagnostics().done(3, 4, 5);

    session.reset();

    assertThat(session.settings()).isEqualTo(SessionSettings.INITIAL.withCollation(45));
    assertThat(session.lexerMode().ansiQuotes()).isFalse();
    assertThat(session.statements().all()).isEmpty();
    assertThat(session.diagnostics().lastInsertId()).isZero();
    assertThat(session.charset()).isEqualTo(StandardCharsets.UTF_8);
    assertThat(session.database().scope()).isNotNull();
  }

  @Test
  void longDataIsJoinedPerParameterAndForgottenOnReset() {
    var statement = new PreparedStatement(1, new byte[0], 2);

    for (int i = 0; i < 100; i++) {
      statement.append(1, new byte[] {(byte) i, 7});
    }
    LongData ahead = requireNonNull(statement.longData());

    assertThat(ahead.isSpoilt()).isFalse();
    assertThat(ahead.values()[0]).isNull();
    assertThat(ahead.values()[1]).hasSize(200).endsWith(98, 7, 99, 7);
    statement.append(5, new byte[] {9});
    assertThat(ahead.isSpoilt()).isTrue();
    statement.reset();
    assertThat(statement.longData()).isNull();
  }
}
