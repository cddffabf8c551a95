package io.anabranch.backend.execute.source;

import static io.anabranch.backend.merge.Rows.ascending;
import static io.anabranch.backend.merge.Rows.column;
import static io.anabranch.backend.merge.Rows.shown;
import static io.anabranch.backend.merge.Rows.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.execute.FakeSession;
import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.row.RowSink;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeadStartTest {

  private static final List<ResultColumn> ID = List.of(column("id", ColumnType.LONG));

  private final FakeSession session = new FakeSession();
  private final FakeDatabase a = session.a;
  private final FakeDatabase b = session.b;
  private final List<String> rows = new ArrayList<>();
  private int walks;

  @BeforeEach
  void answers() {
    a.rows("Q", ID, List.of(text("1"), text("3")));
    b.rows("Q", ID, List.of(text("2")));
  }

  private static PlanNode sorted(String... sources) {
    var queries = new ArrayList<ShardQuery>();
    for (String source : sources) {
      queries.add(ShardQuery.text(source, "Q".getBytes(UTF_8)));
    }
    return new PlanNode.OrderedMerge(new PlanNode.Route(queries, ID), List.of(ascending(0)));
  }

  private HeadStart begin(PlanNode root) {
    var ahead = new HeadStart(session.request(root, Access.READ));
    ahead.begin(() -> walks++);
    return ahead;
  }

  private void walk(HeadStart ahead) {
    session.walker.run(
        ahead,
        new RowSink() {
          @Override
          public void columns(List<ResultColumn> columns) {}

          @Override
          public void row(byte[] payload) {
            rows.add(shown(payload, 1));
          }
        });
  }

  @Test
  void theWalkBeginsWhenAllHaveAnswered() {
    a.atHand();
    b.atHand();
    HeadStart ahead = begin(sorted("b", "a"));
    assertThat(a.log()).containsExactly("Q");
    assertThat(b.log()).containsExactly("Q");
    assertThat(walks).isZero();
    b.answer();
    assertThat(walks).isZero();
    a.answer();
    assertThat(walks).isOne();
    walk(ahead);
    assertThat(rows).containsExactly("1", "2", "3");
    assertThat(a.log()).containsExactly("Q", "+release");
    assertThat(b.log()).containsExactly("Q", "+release");
  }

  @Test
  void theWalkFindsWhatAnsweredAtOnce() {
    a.quick();
    b.quick();
    var ahead = new HeadStart(session.request(sorted("a", "b"), Access.READ));
    ahead.begin(() -> walk(ahead));
    assertThat(rows).containsExactly("1", "2", "3");
    assertThat(a.log()).containsExactly("Q", "+release");
    assertThat(b.log()).containsExactly("Q", "+release");
  }

  @Test
  void nothingIsTakenBehindWhatIsToBeWaitedFor() {
    b.atHand();
    HeadStart ahead = begin(sorted("a", "b"));
    assertThat(b.log()).isEmpty();
    assertThat(walks).isOne();
    walk(ahead);
    assertThat(rows).containsExactly("1", "2", "3");
  }

  @Test
  void theWalkDoesNotWaitForSomeToSendTheOthers() {
    a.atHand();
    HeadStart ahead = begin(sorted("a", "b"));
    assertThat(a.log()).containsExactly("Q");
    assertThat(walks).isOne();
    a.answer();
    assertThat(walks).isOne();
    walk(ahead);
    assertThat(rows).containsExactly("1", "2", "3");
    assertThat(b.log()).containsExactly("Q", "+release");
  }

  @Test
  void severalQueriesOfOneDataSourceAreTheWalks() {
    a.atHand();
    begin(sorted("a", "a"));
    assertThat(a.log()).isEmpty();
    assertThat(walks).isOne();
  }

  @Test
  void whatHasBegunBesideAFailureIsEnded() {
    a.atHand().fails("Q", new ShardException.Database(1054, "42S22", "no such column"));
    b.atHand();
    HeadStart ahead = begin(sorted("a", "b"));
    assertThatThrownBy(() -> walk(ahead)).hasMessageContaining("no such column");
    assertThat(a.log()).containsExactly("Q", "SHOW WARNINGS", "+release");
    assertThat(b.log()).containsExactly("Q", "+discard");
  }

  @Test
  void aCancelledStatementEndsWhatItTook() {
    a.atHand();
    RefusedException killed = ErrorCatalogue.NOT_SUPPORTED.refuse("this", "that");
    session.cancellation.cancel(killed);
    HeadStart ahead = begin(sorted("a", "b"));
    assertThat(walks).isOne();
    assertThatThrownBy(() -> walk(ahead)).isEqualTo(killed);
    assertThat(a.log()).containsExactly("+release");
    assertThat(b.log()).isEmpty();
  }

  @Test
  void aTransactionIsBegunByTheWalk() {
    a.atHand();
    session.transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    walk(begin(sorted("a")));
    assertThat(a.log()).containsExactly("START TRANSACTION", "Q");
    walks = 0;
    HeadStart second = begin(sorted("a"));
    assertThat(a.log()).containsExactly("START TRANSACTION", "Q", "Q");
    assertThat(walks).isZero();
    a.answer();
    walk(second);
    assertThat(rows).containsExactly("1", "3", "1", "3");
    assertThat(a.log()).containsExactly("START TRANSACTION", "Q", "Q");
  }
}
