package io.anabranch.backend.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.fakes.FakeDesk;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.Commands;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinator;
import io.anabranch.backend.transaction.commit.LocalCoordinator;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.DefaultEventLoop;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionTransactionTest {

  private static final int AUTOCOMMIT = 2;
  private static final int IN_TRANSACTION = 1;
  private static final int READ_ONLY = 0x2000;

  private final FakeDatabase a = new FakeDatabase("a");
  private final FakeDatabase b = new FakeDatabase("b");
  private final FakeDesk desk = new FakeDesk(a, b);
  private final AtomicInteger partial = new AtomicInteger();
  private final SessionTransaction transaction =
      new SessionTransaction(
          () -> desk,
          false,
          new DefaultEventLoop(),
          new LocalCoordinator(new CommitBarrier(), partial::incrementAndGet),
          Runnable::run);

  /** One statement as the relay lane runs it. */
  private Lease statement(String source, String sql) {
    Lease lease = transaction.connections().leaseBlocking(source, Access.WRITE);
    for (byte[] command : transaction.connections().prologue(lease, SessionSettings.INITIAL)) {
      Commands.run(lease, command);
    }
    transaction.connections().prologueSent(lease, SessionSettings.INITIAL);
    try {
      ShardOutcome outcome = Commands.run(lease, sql);
      transaction.connections().completed(lease, outcome.statusFlags());
    } catch (ShardException.Database refused) {
      transaction.connections().failed(lease, refused.errno());
    } catch (ShardException.Lost lost) {
      transaction.connections().lost(lease, "lost");
    }
    return lease;
  }

  @Test
  void leasesForOneStatementOutsideOfTransactions() {
    statement("a", "SELECT 1");
    statement("a", "SELECT 2");

    assertThat(a.log()).containsExactly("SELECT 1", "+release", "SELECT 2", "+release");
    assertThat(transaction.statusFlags()).isEqualTo(AUTOCOMMIT);
  }

  @Test
  void beginsWhereAStatementFirstGoes() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    assertThat(transaction.hasOpened()).isFalse();
    Lease first = statement("a", "S1");
    Lease second = statement("a", "S2");

    assertThat(second).isSameAs(first);
    assertThat(transaction.soleParticipant()).isSameAs(first);
    assertThat(transaction.statusFlags()).isEqualTo(AUTOCOMMIT | IN_TRANSACTION);
    statement("b", "S3");
    assertThat(transaction.soleParticipant()).isNull();

    transaction.commit(false);

    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "S2", "COMMIT", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S3", "COMMIT", "+release");
    assertThat(transaction.statusFlags()).isEqualTo(AUTOCOMMIT);
  }

  @Test
  void joinsWithAllOptionsAndSavepoints() {
    transaction.setNext(
        new TransactionOptions(TransactionOptions.Isolation.READ_COMMITTED, null, false));
    transaction.begin(
        new TransactionOptions(null, TransactionOptions.Access.READ_ONLY, true),
        SessionSettings.INITIAL);
    transaction.savepoint("one");
    transaction.savepoint("t`wo");
    statement("a", "S1");

    assertThat(transaction.statusFlags()).isEqualTo(AUTOCOMMIT | IN_TRANSACTION | READ_ONLY);
    assertThat(a.log())
        .containsExactly(
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
            "SAVEPOINT `one`",
            "SAVEPOINT `t``wo`",
            "S1");
  }

  @Test
  void sendsSavepointsInFrontOfTheNextStatementOrCommit() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    transaction.savepoint("x");
    statement("a", "S2");
    transaction.rollbackTo("X");
    transaction.commit(false);

    assertThat(a.log())
        .containsExactly(
            "START TRANSACTION",
            "S1",
            "SAVEPOINT `x`",
            "S2",
            "ROLLBACK TO SAVEPOINT `x`",
            "COMMIT",
            "+release");
  }

  /** Connections may read another character set by then. */
  @Test
  void callsSavepointsInAscii() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    transaction.savepoint("\u4f60");
    transaction.savepoint("x");
    transaction.savepoint("\u4f60");
    statement("a", "S2");
    transaction.rollbackTo("\u4f60");
    transaction.releaseSavepoint("\u4f60");
    transaction.commit(false);

    assertThat(a.log())
        .containsExactly(
            "START TRANSACTION",
            "S1",
            "SAVEPOINT `anabranch 1`",
            "SAVEPOINT `x`",
            "SAVEPOINT `anabranch 1`",
            "S2",
            "ROLLBACK TO SAVEPOINT `anabranch 1`",
            "RELEASE SAVEPOINT `anabranch 1`",
            "COMMIT",
            "+release");
  }

  @Test
  void knowsWhichSavepointsThereAre() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    transaction.savepoint("x");
    transaction.savepoint("y");
    transaction.rollbackTo("x");

    assertThatThrownBy(() -> transaction.rollbackTo("y"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("SAVEPOINT y does not exist");
    transaction.releaseSavepoint("x");
    assertThatThrownBy(() -> transaction.releaseSavepoint("x"))
        .isInstanceOfSatisfying(
            RefusedException.class, refusal -> assertThat(refusal.errno()).isEqualTo(1305));
  }

  @Test
  void autocommitOffOpensATransactionWithTheFirstStatement() {
    transaction.autocommit(false);
    assertThat(transaction.statusFlags()).isZero();
    statement("a", "S1");
    assertThat(transaction.statusFlags()).isEqualTo(IN_TRANSACTION);
    transaction.rollback(false);
    assertThat(transaction.statusFlags()).isZero();
    statement("b", "S2");

    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "ROLLBACK", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2");
  }

  @Test
  void ddlJoinsNothingEvenWithAutocommitOff() {
    transaction.autocommit(false);
    statement("a", "S1");
    transaction.commitBeforeDdl();
    a.fails("DDL", new ShardException.Database(1050, "42S01", "exists"));
    statement("a", "DDL");
    statement("a", "S2");

    assertThat(a.log())
        .containsExactly(
            "START TRANSACTION",
            "S1",
            "COMMIT",
            "+release",
            "DDL",
            "+release",
            "START TRANSACTION",
            "S2");
  }

  @Test
  void setTransactionHoldsForOneStatementOnly() {
    transaction.setNext(
        new TransactionOptions(TransactionOptions.Isolation.SERIALIZABLE, null, false));
    statement("a", "S1");
    statement("a", "S2");

    assertThat(a.log())
        .containsExactly(
            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "S1", "+discard", "S2", "+release");
  }

  @Test
  void whatUsesNoTablesLeavesTheNextTransactionToOthers() {
    transaction.autocommit(false);
    transaction.setNext(
        new TransactionOptions(TransactionOptions.Isolation.SERIALIZABLE, null, false));
    transaction.connections().usesNoTables();
    statement("a", "SET @a = 1");
    assertThat(transaction.statusFlags()).isZero();
    statement("a", "S1");
    transaction.commit(true);
    statement("a", "S2");

    assertThat(a.log())
        .containsExactly(
            "SET @a = 1",
            "+release",
            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
            "START TRANSACTION",
            "S1",
            "COMMIT",
            "+release",
            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
            "START TRANSACTION",
            "S2");
  }

  @Test
  void deadlockOnOneRollsBackAll() {
    b.fails("S2", new ShardException.Database(1213, "40001", "Deadlock found"));
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("b", "S2");

    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "ROLLBACK", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2", "+release");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void lockWaitTimeoutKeepsTheTransaction() {
    a.fails("S2", new ShardException.Database(1205, "HY000", "Lock wait timeout exceeded"));
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("a", "S2");

    assertThat(transaction.isOpen()).isTrue();
    transaction.commit(false);
    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "S2", "COMMIT", "+release");
  }

  @Test
  void aLostParticipantRollsBackTheOthers() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    Lease lease = statement("b", "S2");

    RefusedException told = transaction.connections().lost(lease, "reset by peer");

    assertThat(told).hasMessageContaining("AB3006").hasMessageContaining("'b'");
    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "ROLLBACK", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2", "+discard");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void commitThatFailsFirstIsUndoneEverywhere() {
    a.fails("COMMIT", new ShardException.Database(1180, "HY000", "Got error 5 during COMMIT"));
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("b", "S2");

    assertThatThrownBy(() -> transaction.commit(false))
        .isInstanceOf(ShardException.Database.class)
        .hasMessage("Got error 5 during COMMIT");
    assertThat(a.log())
        .containsExactly("START TRANSACTION", "S1", "COMMIT", "ROLLBACK", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2", "ROLLBACK", "+release");
    assertThat(partial).hasValue(0);
  }

  @Test
  void commitWithALostConnectionIsUndoneEverywhere() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("b", "S2");
    b.close();

    assertThatThrownBy(() -> transaction.commit(false))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB3006");
    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "ROLLBACK", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2", "+discard");
    assertThat(partial).hasValue(0);
  }

  @Test
  void commitThatFailsLaterTellsWhatIsCommitted() {
    b.fails("COMMIT", new ShardException.Lost("reset by peer", true));
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("b", "S2");

    assertThatThrownBy(() -> transaction.commit(true))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("a: committed")
        .hasMessageContaining("b: unknown");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2", "COMMIT", "+discard");
    assertThat(transaction.isOpen()).as("no chain after a failure").isFalse();
    assertThat(partial).hasValue(1);
  }

  @Test
  void chainBeginsAnotherWithTheSameOptions() {
    transaction.begin(
        new TransactionOptions(null, TransactionOptions.Access.READ_ONLY, false),
        SessionSettings.INITIAL);
    statement("a", "S1");
    transaction.commit(true);
    statement("a", "S2");

    assertThat(a.log())
        .containsExactly(
            "START TRANSACTION READ ONLY",
            "S1",
            "COMMIT",
            "+release",
            "START TRANSACTION READ ONLY",
            "S2");
  }

  @Test
  void noticesThatTheDatabaseEndedTheTransaction() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("a", "COMMIT");

    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "COMMIT", "+release");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void noticesThatTheDatabaseOpenedATransaction() {
    statement("a", "BEGIN");
    assertThat(transaction.isOpen()).isTrue();
    transaction.rollback(false);

    assertThat(a.log()).containsExactly("BEGIN", "ROLLBACK", "+release");
  }

  @Test
  void pinnedConnectionsStay() {
    Lease lease = transaction.connections().leaseBlocking("a", Access.WRITE);
    Commands.run(lease, "SELECT GET_LOCK('x', 1)");
    transaction.connections().pins().pin(lease, Pin.USER_LOCK);
    transaction.connections().completed(lease, AUTOCOMMIT);
    Lease again = statement("a", "S1");
    assertThat(again).isSameAs(lease);
    assertThat(a.log()).doesNotContain("+release");

    transaction.connections().pins().unpin(Pin.USER_LOCK);

    assertThat(a.log()).endsWith("+release");
  }

  @Test
  void aConnectionGoesWithTheLastTemporaryTable() {
    Lease lease = statement("a", "CREATE TEMPORARY TABLE x");
    transaction.connections().pins().pin(lease, Pin.TEMPORARY_TABLE);
    transaction.connections().pins().pin(lease, Pin.TEMPORARY_TABLE);
    transaction.connections().pins().droppedTemporaryTables(lease, 1);
    assertThat(transaction.connections().pins().any()).isTrue();
    transaction.connections().pins().droppedTemporaryTables(lease, 1);
    assertThat(transaction.connections().pins().any()).isFalse();
    assertThat(a.log()).endsWith("+release");
  }

  @Test
  void whatLivedInALostConnectionIsMissed() {
    Lease pinned = transaction.connections().leaseBlocking("b", Access.WRITE);
    transaction.connections().pins().pin(pinned, Pin.TEMPORARY_TABLE);
    transaction.connections().completed(pinned, AUTOCOMMIT);

    assertThat(transaction.connections().lost(pinned, "gone")).hasMessageContaining("AB3019");

    assertThat(transaction.connections().isStateLost()).isTrue();
    for (String source : List.of("a", "b")) {
      assertThatThrownBy(() -> transaction.connections().leaseBlocking(source, Access.READ))
          .hasMessageContaining("AB3019");
    }
  }

  @Test
  void rowsThatWaitAreNoState() {
    Lease pinned = transaction.connections().leaseBlocking("b", Access.WRITE);
    transaction.connections().pins().pin(pinned, Pin.CURSOR);
    transaction.connections().completed(pinned, AUTOCOMMIT);
    transaction.connections().lost(pinned, "gone");
    assertThat(transaction.connections().isStateLost()).isFalse();
  }

  @Test
  void autocommitEndsATransactionThatHasSentNothing() {
    transaction.autocommit(false);
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    transaction.autocommit(true);
    assertThat(transaction.isOpen()).isFalse();
    statement("a", "S1");
    assertThat(a.log()).containsExactly("S1", "+release");
  }

  @Test
  void closingRollsBackAndClosesPinnedConnections() {
    Lease pinned = transaction.connections().leaseBlocking("b", Access.WRITE);
    transaction.connections().pins().pin(pinned, Pin.TEMPORARY_TABLE);
    transaction.connections().completed(pinned, AUTOCOMMIT);
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");

    transaction.close();

    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "ROLLBACK", "+release");
    assertThat(b.log()).containsExactly("+discard");
  }

  @Test
  void replaysSettingsOnce() {
    SessionSettings wanted = SessionSettings.INITIAL.with("sql_mode", "'ANSI'");
    Lease lease = transaction.connections().leaseBlocking("a", Access.WRITE);

    assertThat(transaction.connections().prologue(lease, wanted))
        .extracting(sql -> new String(sql, UTF_8))
        .containsExactly("SET sql_mode='ANSI'");
    transaction.connections().prologueSent(lease, wanted);
    assertThat(transaction.connections().prologue(lease, wanted)).isEmpty();
  }

  @Test
  void aUnitOutsideOfTransactionsIsATransactionOfItsOwn() {
    StatementLeases leases =
        transaction.connections().leases(name -> name, SessionSettings.INITIAL);
    leases.beginAtomic();
    for (String source : List.of("a", "b")) {
      Lease lease = leases.ready(source);
      leases.completed(lease, Commands.run(lease, "W").statusFlags());
    }
    leases.commitAtomic();

    assertThat(a.log()).containsExactly("START TRANSACTION", "W", "COMMIT", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "W", "COMMIT", "+release");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void aUnitWithinATransactionIsASavepoint() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    StatementLeases leases =
        transaction.connections().leases(name -> name, SessionSettings.INITIAL);
    leases.beginAtomic();
    Lease lease = leases.ready("a");
    leases.completed(lease, Commands.run(lease, "W").statusFlags());
    leases.rollbackAtomic();
    transaction.commit(false);

    assertThat(a.log())
        .containsExactly(
            "START TRANSACTION",
            "S1",
            "SAVEPOINT `anabranch statement`",
            "W",
            "ROLLBACK TO SAVEPOINT `anabranch statement`",
            "COMMIT",
            "+release");
  }

  @Test
  void aRefusedPrologueCostsTheConnection() {
    a.fails("SET sql_mode='NONSENSE'", new ShardException.Database(1231, "42000", "wrong value"));
    StatementLeases leases =
        transaction
            .connections()
            .leases(name -> name, SessionSettings.INITIAL.with("sql_mode", "'NONSENSE'"));

    assertThatThrownBy(() -> leases.ready("a")).hasMessage("wrong value");
    assertThat(a.log()).containsExactly("SET sql_mode='NONSENSE'", "+discard");
  }

  @Test
  void whatMayCommitItsPartIsRefusedWhereOthersHaveChanges() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    transaction.connections().mayEndTransaction();
    statement("a", "CALL p()");
    statement("b", "S1");
    transaction.connections().mayEndTransaction();

    assertThatThrownBy(() -> statement("a", "CALL p()"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2002");
    statement("a", "S2");
    transaction.commit(false);
    assertThat(a.log())
        .containsExactly("START TRANSACTION", "CALL p()", "S2", "COMMIT", "+release");
  }

  @Test
  void aSyntaxErrorBeginsNoTransaction() {
    transaction.autocommit(false);
    a.fails("SELEC 1", new ShardException.Database(1064, "42000", "syntax"));
    statement("a", "SELEC 1");
    assertThat(transaction.statusFlags()).isZero();
    statement("a", "S1");
    statement("a", "SELEC 1");
    assertThat(transaction.statusFlags()).isEqualTo(IN_TRANSACTION);
    assertThat(a.log())
        .containsExactly(
            "START TRANSACTION",
            "SELEC 1",
            "ROLLBACK",
            "+release",
            "START TRANSACTION",
            "S1",
            "SELEC 1");
  }

  private @Nullable Throwable end(boolean commit, boolean chain) throws Exception {
    var told = new CompletableFuture<Optional<Throwable>>();
    transaction.end(commit, chain, failure -> told.complete(Optional.ofNullable(failure)));
    return told.get(30, TimeUnit.SECONDS).orElse(null);
  }

  @Test
  void endsWithoutAThreadThatWaits() throws Exception {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    assertThat(transaction.endsWithoutBlocking()).isTrue();
    statement("a", "S1");
    statement("b", "S2");
    assertThat(transaction.endsWithoutBlocking()).as("these are on no event loop").isFalse();

    assertThat(end(true, true)).isNull();
    assertThat(a.log()).containsExactly("START TRANSACTION", "S1", "COMMIT", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "S2", "COMMIT", "+release");
    assertThat(transaction.isOpen()).as("CHAIN").isTrue();
    statement("a", "S3");
    assertThat(end(false, false)).isNull();
    assertThat(a.log()).endsWith("START TRANSACTION", "S3", "ROLLBACK", "+release");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void tellsWhyItDidNotEndEverywhere() throws Exception {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    statement("b", "S2");
    b.fails("COMMIT", new ShardException.Lost("cut", true));

    assertThat(end(true, true)).hasMessageContainingAll("AB3004", "a: committed", "b: unknown");
    assertThat(partial).hasValue(1);
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void aMistakeClosesTheConnections() throws Exception {
    transaction.coordinator(new Mistaken());
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S1");
    assertThat(end(true, false)).hasMessageContaining("mistake");
    assertThat(transaction.isOpen()).isFalse();
    assertThat(a.log()).endsWith("S1", "+discard");

    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    statement("a", "S2");
    assertThatThrownBy(() -> transaction.commit(false)).hasMessage("mistake");
    assertThat(transaction.isOpen()).isFalse();
    assertThat(a.log()).endsWith("S2", "+discard");
  }

  private static final class Mistaken implements Coordinator {

    @Override
    public @Nullable String newTransaction() {
      return null;
    }

    @Override
    public boolean isAtomic() {
      return false;
    }

    @Override
    public CompletableFuture<List<Ending>> commit(List<Branch> branches) {
      return CompletableFuture.failedFuture(new IllegalStateException("mistake"));
    }

    @Override
    public CompletableFuture<List<Ending>> rollback(List<Branch> branches) {
      return commit(branches);
    }
  }

  @Test
  void aBranchThatADeadlockHasEndedIsRolledBackOnAConnectionThatStays() {
    var xid = new Xid("g", "1:a");
    a.fails("XA END " + xid.sql(), new ShardException.Database(1614, "XA106", "deadlock"));
    Lease lease = a.lease();

    Commands.rollback(lease, texts("XA END " + xid.sql(), "XA ROLLBACK " + xid.sql(), "SET x=1"));
    assertThat(a.log())
        .containsExactly("XA END " + xid.sql(), "XA ROLLBACK " + xid.sql(), "SET x=1");

    a.fails("XA ROLLBACK " + xid.sql(), new ShardException.Database(1401, "XAE03", "fatal"));
    assertThatThrownBy(() -> Commands.rollback(lease, texts("XA ROLLBACK " + xid.sql())))
        .hasMessageContaining("fatal");
  }

  private static List<byte[]> texts(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }
}
