package io.anabranch.backend.execute;

import static io.anabranch.backend.merge.Rows.ascending;
import static io.anabranch.backend.merge.Rows.binary;
import static io.anabranch.backend.merge.Rows.column;
import static io.anabranch.backend.merge.Rows.shown;
import static io.anabranch.backend.merge.Rows.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.row.RowSink;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.Passing;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanWalkerTest {

  private static final List<ResultColumn> ID = List.of(column("id", ColumnType.LONG));

  private final FakeSession session = new FakeSession();
  private final FakeDatabase a = session.a;
  private final FakeDatabase b = session.b;
  private final SessionTransaction transaction = session.transaction;
  private final Cancellation cancellation = session.cancellation;
  private final List<String> rows = new ArrayList<>();

  private MergeOutcome run(PlanNode root) {
    return run(root, row -> rows.add(shown(row, 1)));
  }

  private interface OnRow {
    void row(byte[] payload);
  }

  private MergeOutcome run(PlanNode root, OnRow onRow) {
    return session.walker.run(
        session.request(root, Access.WRITE),
        new RowSink() {
          @Override
          public void columns(List<ResultColumn> columns) {
            rows.add(columns.getFirst().name());
          }

          @Override
          public void row(byte[] payload) {
            onRow.row(payload);
          }
        });
  }

  private static ShardQuery query(String source, String sql) {
    return ShardQuery.text(source, sql.getBytes(UTF_8));
  }

  private static PlanNode.Route route(ShardQuery... queries) {
    return new PlanNode.Route(List.of(queries), ID);
  }

  private static PlanNode.Write write(boolean atomic, ShardQuery... queries) {
    return new PlanNode.Write(List.of(queries), PlanNode.Summing.SUM, atomic);
  }

  @Test
  void bringsWhatReadsWarnedOf() {
    List<byte[]> warned =
        List.of(text("Warning", "1287", "deprecated"), text("Warning", "1365", "Division by 0"));
    a.rows("Q", ID, List.of(text("1"))).warns(warned);
    b.rows("Q", ID, List.of(text("2"))).warns(warned);

    MergeOutcome outcome = run(route(query("a", "Q"), query("b", "Q")));

    List<String> ofRows = List.of("Warning", "1365", "Division by 0");
    assertThat(outcome)
        .isEqualTo(
            new MergeOutcome.Rows(
                2, -1, 3, List.of(List.of("Warning", "1287", "deprecated"), ofRows, ofRows)));
  }

  @Test
  void mergesTwoDataSources() {
    a.rows("Q", ID, List.of(text("1"), text("10")));
    b.rows("Q", ID, List.of(text("9")));

    MergeOutcome outcome =
        run(
            new PlanNode.OrderedMerge(
                route(query("a", "Q"), query("b", "Q")), List.of(ascending(0))));

    assertThat(rows).containsExactly("id", "1", "9", "10");
    assertThat(outcome).isEqualTo(new MergeOutcome.Rows(3, -1, 0, List.of()));
    assertThat(a.log()).containsExactly("Q", "+release");
    assertThat(b.log()).containsExactly("Q", "+release");
  }

  @Test
  void mergesSeveralQueriesOfOneDataSource() {
    a.rows("Q1", ID, List.of(text("2"), text("4")));
    a.rows("Q2", ID, List.of(text("1"), text("3")));

    run(
        new PlanNode.OrderedMerge(
            route(query("a", "Q1"), query("a", "Q2")), List.of(ascending(0))));

    assertThat(rows).containsExactly("id", "1", "2", "3", "4");
    assertThat(a.log()).containsExactly("Q1", "Q2", "+release");
  }

  @Test
  void runsQueriesInTurnWhereOrderDoesNotMatter() {
    a.rows("Q1", ID, List.of(text("2")));
    a.rows("Q2", ID, List.of(text("1")));

    run(new PlanNode.Concat(route(query("a", "Q1"), query("a", "Q2"))));

    assertThat(rows).containsExactly("id", "2", "1");
  }

  @Test
  void readsAwayWhatALimitLeaves() {
    a.rows("Q", ID, List.of(text("1"), text("2"), text("3")));

    run(new PlanNode.Limit(route(query("a", "Q")), 0, 1));

    assertThat(rows).containsExactly("id", "1");
    assertThat(a.log()).containsExactly("Q", "+release");
  }

  @Test
  void passesOnAnErrorWithLogicalNamesAndClosesWhatIsStillComing() {
    a.fails("Q", new ShardException.Database(1146, "42S02", "Table 'ds0.t_order_0' doesn't exist"));
    b.rows("Q", ID, List.of(text("1"), text("2")));

    assertThatThrownBy(() -> run(route(query("a", "Q"), query("b", "Q"))))
        .isInstanceOfSatisfying(
            ShardException.Database.class, e -> assertThat(e.errno()).isEqualTo(1146))
        .hasMessage("Table 'shop.t_order' doesn't exist");
    assertThat(a.log()).containsExactly("Q", "SHOW WARNINGS", "+release");
    assertThat(b.log()).containsExactly("Q", "+discard");
  }

  @Test
  void anErrorInATransactionReadsAwayAndKeepsIt() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    a.rowsThen("Q", ID, List.of(text("1")), new ShardException.Database(1317, "70100", "stop"));
    b.rows("Q", ID, List.of(text("1"), text("2")));

    assertThatThrownBy(() -> run(route(query("a", "Q"), query("b", "Q")))).hasMessage("stop");
    transaction.commit(false);

    // whether the error has ended the transaction is asked
    assertThat(a.log())
        .containsExactly("START TRANSACTION", "Q", "SHOW WARNINGS", "DO 0", "COMMIT", "+release");
    assertThat(b.log()).containsExactly("START TRANSACTION", "Q", "COMMIT", "+release");
  }

  @Test
  void tellsOfALostConnection() {
    a.rowsThen("Q", ID, List.of(text("1")), new ShardException.Lost("reset", true));
    b.rows("Q", ID, List.of());

    assertThatThrownBy(() -> run(route(query("a", "Q"), query("b", "Q"))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB3003")
        .hasMessageContaining("'a'");
    assertThat(a.log()).containsExactly("Q", "+discard");
  }

  @Test
  void anUnreachableDataSourceEndsTheLeasesTakenBefore() {
    assertThatThrownBy(() -> run(route(query("a", "Q"), query("down", "Q"))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB3001");
    assertThat(a.log()).containsExactly("+release");
  }

  @Test
  void aClientThatIsGoneEndsTheStatement() {
    a.rows("Q", ID, List.of(text("1"), text("2")));

    assertThatThrownBy(
            () ->
                run(
                    route(query("a", "Q")),
                    row -> {
                      throw new IllegalStateException("client gone");
                    }))
        .hasMessage("client gone");
    assertThat(a.log()).containsExactly("Q", "+discard");
  }

  @Test
  void cancellingEndsTheStatementWithItsReason() {
    a.rows("Q", ID, List.of(text("1"), text("2")));

    assertThatThrownBy(
            () ->
                run(
                    route(query("a", "Q")),
                    row -> cancellation.cancel(ErrorCatalogue.QUERY_INTERRUPTED.refuse())))
        .hasMessage("Query execution was interrupted");
    // it had answered before it was told to end: an empty statement takes what comes late
    assertThat(a.log()).containsExactly("Q", "+interrupt", "DO 0", "+release");
  }

  @Test
  void refusesTypesThatDiffer() {
    a.rows("Q", ID, List.of(text("1")));
    b.rows("Q", List.of(column("id", ColumnType.VAR_STRING)), List.of(text("1")));

    assertThatThrownBy(() -> run(route(query("a", "Q"), query("b", "Q"))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("column 'id'");
  }

  @Test
  void writesAreOneUnit() {
    a.ok("W1", 2, 7, 1, "Records: 2  Duplicates: 0  Warnings: 1");
    a.ok("W2", 1, 9, 0, "Records: 1  Duplicates: 0  Warnings: 0");
    b.ok("W3", 3, 0, 0, "Records: 3  Duplicates: 1  Warnings: 0");
    List<ResultColumn> shown =
        List.of(
            column("Level", ColumnType.VAR_STRING),
            column("Code", ColumnType.LONG),
            column("Message", ColumnType.VAR_STRING));
    a.rows("SHOW WARNINGS", shown, List.of(text("Note", "1", "of t_order_0")));

    MergeOutcome outcome = run(write(true, query("b", "W3"), query("a", "W1"), query("a", "W2")));

    assertThat(outcome)
        .isEqualTo(
            new MergeOutcome.Done(
                6,
                7,
                1,
                "Records: 6  Duplicates: 1  Warnings: 1",
                List.of(List.of("Note", "1", "of t_order"))));
    assertThat(afterMoment(a))
        .containsExactly("START TRANSACTION", "W1", "SHOW WARNINGS", "W2", "COMMIT", "+release");
    assertThat(afterMoment(b)).containsExactly("START TRANSACTION", "W3", "COMMIT", "+release");
  }

  /** What a source got behind the statement's moment. */
  private static List<String> afterMoment(FakeDatabase shard) {
    assertThat(shard.log().getFirst()).startsWith("SET timestamp=");
    return shard.log().subList(1, shard.log().size());
  }

  @Test
  void aSingleWriteNeedsNoTransaction() {
    a.ok("W", 1, 0, 0, "");

    run(write(true, query("a", "W")));

    assertThat(a.log()).containsExactly("W", "+release");
  }

  @Test
  void aBroadcastWriteCountsOnce() {
    assertThat(broadcast("5")).isEqualTo(new MergeOutcome.Done(2, 5, 0, "", List.of()));
  }

  @Test
  void aBroadcastWriteWhoseRowsHaveKeysMakesNone() {
    assertThat(broadcast("3")).isEqualTo(new MergeOutcome.Done(2, 5, 0, "", List.of(), 5L));
  }

  private MergeOutcome broadcast(String lastInsertId) {
    a.ok("W", 2, 5, 0, "");
    b.ok("W", 2, 5, 0, "");
    a.rows("SELECT LAST_INSERT_ID() LIMIT 1", ID, List.of(text(lastInsertId)));
    return run(
        new PlanNode.Write(
            List.of(query("a", "W"), query("b", "W")), PlanNode.Summing.FIRST, true));
  }

  @Test
  void aBroadcastWriteThatMadeDifferentKeysIsUndone() {
    a.ok("W", 2, 5, 0, "");
    b.ok("W", 2, 6, 0, "");

    assertThatThrownBy(
            () ->
                run(
                    new PlanNode.Write(
                        List.of(query("a", "W"), query("b", "W")), PlanNode.Summing.FIRST, true)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AUTO_INCREMENT");
    assertThat(a.log().getFirst()).startsWith("SET timestamp=");
    assertThat(a.log())
        .endsWith(
            "START TRANSACTION", "W", "SELECT LAST_INSERT_ID() LIMIT 1", "ROLLBACK", "+release");
  }

  @Test
  void aFailedWriteIsUndoneEverywhere() {
    b.fails("W", new ShardException.Database(1062, "23000", "Duplicate entry '1'"));

    assertThatThrownBy(() -> run(write(true, query("a", "W"), query("b", "W"))))
        .isInstanceOf(ShardException.Database.class)
        .hasMessage("Duplicate entry '1'");
    assertThat(afterMoment(a)).containsExactly("START TRANSACTION", "W", "ROLLBACK", "+release");
    assertThat(afterMoment(b))
        .containsExactly("START TRANSACTION", "W", "SHOW WARNINGS", "ROLLBACK", "+release");
  }

  @Test
  void aFailedWriteInATransactionIsUndoneAndTheTransactionStays() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    b.fails("W", new ShardException.Database(1062, "23000", "Duplicate entry '1'"));

    assertThatThrownBy(() -> run(write(true, query("a", "W"), query("b", "W"))))
        .hasMessage("Duplicate entry '1'");
    assertThat(transaction.isOpen()).isTrue();
    assertThat(afterMoment(a))
        .containsExactly(
            "START TRANSACTION",
            "SAVEPOINT `anabranch statement`",
            "W",
            "ROLLBACK TO SAVEPOINT `anabranch statement`");
  }

  @Test
  void aDeadlockInATransactionRollsBackEverywhere() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    b.fails("W", new ShardException.Database(1213, "40001", "Deadlock found"));

    assertThatThrownBy(() -> run(write(true, query("a", "W"), query("b", "W"))))
        .hasMessage("Deadlock found");
    assertThat(transaction.isOpen()).isFalse();
    assertThat(afterMoment(a))
        .containsExactly(
            "START TRANSACTION", "SAVEPOINT `anabranch statement`", "W", "ROLLBACK", "+release");
    assertThat(afterMoment(b))
        .containsExactly(
            "START TRANSACTION",
            "SAVEPOINT `anabranch statement`",
            "W",
            "SHOW WARNINGS",
            "+release");
  }

  /** Of READ COMMITTED: between the query and the UPDATE others may insert. */
  @Test
  void rowsThatCameBeforeTheirUpdateAreNotLeftBehind() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    a.rows("VALUES", ID, List.of(binary(ID, "7")));
    a.ok("W", 2, 0, 0, "Rows matched: 2  Changed: 2  Warnings: 0");

    assertThatThrownBy(() -> run(move(query("a", "VALUES"), query("a", "W"))))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.is(ErrorCatalogue.DEADLOCK)).isTrue());
    assertThat(a.log()).contains("W");
  }

  private static PlanNode move(ShardQuery values, ShardQuery update) {
    RowPlacer anywhere = row -> RowPlacer.NOWHERE;
    var target =
        new RowTarget(
            List.of(),
            List.of(new byte[0], new byte[0]),
            new int[] {0},
            new byte[0],
            1,
            anywhere,
            null,
            new int[] {0});
    return new PlanNode.Move(
        route(values),
        false,
        anywhere,
        write(true, update),
        List.of(),
        target,
        target,
        null,
        target,
        new Passing(List.of(), true));
  }

  @Test
  void deadlocksOnBothSidesEndBoth() {
    a.fails("W", new ShardException.Database(1213, "40001", "Deadlock found"));
    b.fails("W", new ShardException.Database(1213, "40001", "Deadlock found"));

    assertThatThrownBy(() -> run(write(true, query("a", "W"), query("b", "W"))))
        .hasMessage("Deadlock found");
    assertThat(a.log()).endsWith("+release");
    assertThat(b.log()).endsWith("+release");
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void ddlTellsWhereItFailed() {
    a.fails("D2", new ShardException.Database(1060, "42S21", "Duplicate column name 'x'"));

    assertThatThrownBy(
            () ->
                run(
                    write(
                        false,
                        query("a", "D1"),
                        query("a", "D2"),
                        query("a", "D3"),
                        query("b", "D4"))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("failed: a [D2]: Duplicate column name 'x'")
        .hasMessageContaining("done: a [D1], a [D3], b [D4]");
    assertThat(afterMoment(a)).containsExactly("D1", "D2", "SHOW WARNINGS", "D3", "+release");
    assertThat(afterMoment(b)).containsExactly("D4", "+release");
  }

  @Test
  void ddlThatFailsEverywhereAlikeGivesTheDatabasesError() {
    a.fails("D", new ShardException.Database(1050, "42S01", "Table 't_order_0' already exists"));
    b.fails("D", new ShardException.Database(1050, "42S01", "Table 't_order_0' already exists"));

    assertThatThrownBy(() -> run(write(false, query("a", "D"), query("b", "D"))))
        .isInstanceOf(ShardException.Database.class)
        .hasMessage("Table 't_order' already exists");
  }

  @Test
  void givesLocalRowsWithoutAnyDatabase() {
    run(new PlanNode.LocalRows(ID, List.of(List.of("5"))));

    assertThat(rows).containsExactly("id", "5");
    assertThat(a.log()).isEmpty();
  }
}
