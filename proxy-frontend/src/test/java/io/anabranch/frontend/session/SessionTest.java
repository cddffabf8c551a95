package io.anabranch.frontend.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.prepared.KeptBytes;
import io.anabranch.frontend.session.prepared.LongData;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.command.LongValue;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.task.PlanScope;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
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
          Runnable::run,
          MemoryBudget.unconfigured().session("test"),
          SessionLimits.none());

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
    session.settings(session.settings().with("sql_mode", "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"));

    assertThat(session.charset()).isEqualTo(Charset.forName("windows-1252"));
    assertThat(session.database().scope()).extracting(PlanScope::ansiQuotes).isEqualTo(true);
    assertThat(session.lexerMode().noBackslashEscapes()).isTrue();
  }

  /** Whatever was said before, and whoever says it: the settings alone decide. */
  @Test
  void settingsDecideHowStatementsAreRead() {
    session.language().names(requireNonNull(Collation.defaultOf("gbk")), false);
    SessionSettings gbk = session.settings();
    assertThat(session.charset()).isEqualTo(Charset.forName("GBK"));
    assertThat(session.lexerMode().isDoubleByte()).isTrue();

    session.settings(gbk.with("character_set_client", "'utf8mb4'"));
    assertThat(session.charset()).isEqualTo(StandardCharsets.UTF_8);
    assertThat(session.lexerMode().isDoubleByte()).isFalse();

    session.settings(gbk);
    assertThat(session.charset()).isEqualTo(Charset.forName("GBK"));
    assertThat(session.lexerMode().isDoubleByte()).isTrue();

    session.language().names(requireNonNull(Collation.defaultOf("latin1")), true);
    assertThat(session.charset()).isEqualTo(Charset.forName("windows-1252"));
    assertThat(session.settings().variables()).doesNotContainKey("character_set_client");
  }

  @Test
  void handshakesInWideCharacterSetsAreOfUtf8() {
    for (String wide : List.of("ucs2", "utf16", "utf16le", "utf32", "dec8")) {
      session.language().collation(requireNonNull(Collation.defaultOf(wide)).id());
      assertThat(session.charset()).as(wide).isEqualTo(StandardCharsets.UTF_8);
    }
  }

  @Test
  void nobodyIsReadOtherwiseThanServersRead() {
    SessionSettings settings = SessionSettings.INITIAL;
    for (String mode : List.of("", "ANSI", "ORACLE,ANSI_QUOTES", "TRADITIONAL,NO_ZERO_DATE")) {
      SessionLanguage.requireRead(settings.with("sql_mode", "'" + mode + "'"));
    }
    SessionLanguage.requireRead(
        settings.with("sql_mode", "CONCAT(@@global.sql_mode,',IGNORE_SPACE')"));
    for (String mode : List.of("MSSQL", "ANSI_QUOTES,MSSQL", "OF_A_LATER_SERVER")) {
      assertThatThrownBy(
              () -> SessionLanguage.requireRead(settings.with("sql_mode", "'" + mode + "'")))
          .hasMessageContaining("AB2002");
    }
    for (String set : List.of("dec8", "swe7", "geostd8", "utf16", "ucs2", "unheard_of")) {
      assertThatThrownBy(
              () ->
                  SessionLanguage.requireRead(
                      settings.with("character_set_client", "'" + set + "'")))
          .hasMessageContaining("AB2002");
    }
  }

  @Test
  void resetForgetsEverythingButTheDatabase() {
    session.database().use("shop");
    session.settings(session.settings().with("sql_mode", "'ANSI_QUOTES'"));
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
  void longDataIsKeptPerParameterAndForgottenOnReset() {
    SessionMemory memory = MemoryBudget.unconfigured().session("test");
    var statement = new PreparedStatement(1, new byte[0], 2);
    KeptBytes kept = session.statements().kept();

    for (int i = 0; i < 100; i++) {
      statement.append(1, new byte[] {(byte) i, 7}, kept, memory);
    }
    LongData ahead = requireNonNull(statement.longData());

    assertThat(ahead.refusal()).isNull();
    assertThat(memory.used(MemoryKind.HEAP)).isEqualTo(200 + 100L * LongValue.WEIGHT_OF_PIECE);
    assertThat(ahead.values()[0]).isNull();
    assertThat(requireNonNull(ahead.values()[1]).length()).isEqualTo(200);
    assertThat(kept.bytes()).isEqualTo(200);
    statement.append(5, new byte[] {9}, kept, memory);
    assertThat(ahead.refusal()).hasMessageContaining("mysqld_stmt_send_long_data");
    assertThat(memory.used(MemoryKind.HEAP)).isZero();
    statement.reset();
    assertThat(statement.longData()).isNull();
    assertThat(kept.bytes()).isZero();
  }

  @Test
  void emptyPiecesOfLongDataTakeNothing() {
    SessionMemory memory = MemoryBudget.unconfigured().session("test");
    var statement = new PreparedStatement(1, new byte[0], 1);
    KeptBytes kept = session.statements().kept();

    for (int i = 0; i < 1000; i++) {
      statement.append(0, new byte[0], kept, memory);
    }

    LongValue value = requireNonNull(requireNonNull(statement.longData()).values()[0]);
    assertThat(value.length()).isZero();
    assertThat(value).extracting("pieces").asInstanceOf(InstanceOfAssertFactories.LIST).isEmpty();
    assertThat(memory.used(MemoryKind.HEAP)).isZero();
  }

  @Test
  void longDataOfAllStatementsIsBounded() {
    KeptBytes kept = session.statements().kept();
    kept.atMost(10);
    var one = new PreparedStatement(1, new byte[0], 2);
    var other = new PreparedStatement(2, new byte[0], 1);
    session.statements().add(one);

    one.append(0, new byte[4], kept, session.memory());
    one.append(1, new byte[4], kept, session.memory());
    other.append(0, new byte[3], kept, session.memory());
    assertThat(requireNonNull(one.longData()).isTooLong()).isFalse();
    assertThat(requireNonNull(other.longData()).isTooLong()).isTrue();
    assertThat(kept.bytes()).isEqualTo(8);
    other.reset();
    assertThat(kept.bytes()).isEqualTo(8);

    session.statements().remove(1);
    assertThat(kept.bytes()).isZero();
  }
}
