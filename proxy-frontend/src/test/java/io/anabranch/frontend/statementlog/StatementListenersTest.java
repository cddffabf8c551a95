package io.anabranch.frontend.statementlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.listener.FinishedStatement;
import io.anabranch.rules.listener.FinishedStatementListener;
import io.anabranch.rules.listener.ListenerDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatementListenersTest {

  private static final int MANY = 20_000;
  private static final int WAITING = 8192;
  private static final int LONG_TEXT = 16 * 1024;
  private static final int LONG_TEXTS = 512;

  /** Keeps what it hears. */
  private static class Hearing implements FinishedStatementListener {
    final ConcurrentLinkedQueue<FinishedStatement> heard = new ConcurrentLinkedQueue<>();
    final CountDownLatch closed = new CountDownLatch(1);
    volatile @Nullable Thread thread;

    @Override
    public void finished(FinishedStatement statement) throws Exception {
      thread = Thread.currentThread();
      heard.add(statement);
    }

    @Override
    public void close() {
      closed.countDown();
    }

    List<String> texts() {
      return heard.stream().map(FinishedStatement::text).toList();
    }
  }

  /** Takes a statement, and no other until it may. */
  private static final class Blocked extends Hearing {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayGoOn = new CountDownLatch(1);

    @Override
    public void finished(FinishedStatement statement) throws Exception {
      super.finished(statement);
      begun.countDown();
      mayGoOn.await();
    }
  }

  private static ListenerDefinition named(String name, FinishedStatementListener listener) {
    return new ListenerDefinition(name, "TEST", Map.of("of", name), listener);
  }

  private static LoggedStatement statement(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    return new LoggedStatement(
        0,
        7,
        "app",
        "app",
        "127.0.0.1:5",
        null,
        StatementKind.SELECT,
        Lane.RELAY,
        Set.of("ds_0"),
        new LoggedStatement.Times(1, 2, 3, 4, 5, Map.of()),
        2,
        0,
        1064,
        scan.copyNormalForm(),
        UTF_8,
        false,
        false,
        true,
        null,
        null);
  }

  private static void awaited(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void tellsEachListenerOfEachStatement() {
    var one = new Hearing();
    var other = new Hearing();
    try (var listeners = new StatementListeners()) {
      assertThat(listeners.areAny()).isFalse();
      listeners.follow(List.of(named("one", one), named("other", other)));
      assertThat(listeners.areAny()).isTrue();
      listeners.tell(statement("SELECT 1"));
      listeners.tell(statement("SELECT 'a' FROM t"));
    }
    assertThat(one.texts()).containsExactly("SELECT ?", "SELECT ? FROM t");
    assertThat(other.texts()).isEqualTo(one.texts());
    FinishedStatement first = one.heard.element();
    assertThat(first.database()).isEmpty();
    assertThat(first.dataSources()).containsExactly("ds_0");
    assertThat(first.errno()).isEqualTo(1064);
    assertThat(first.times().total().toNanos()).isEqualTo(1 + 2 + 3 + 4 + 5);
    assertThat(one.thread).isNotEqualTo(other.thread);
  }

  @Test
  void goesOnWhateverOneThrows() {
    var throwing =
        new Hearing() {
          @Override
          public void finished(FinishedStatement statement) throws Exception {
            super.finished(statement);
            switch (heard.size()) {
              case 1 -> throw new IllegalStateException("not told");
              case 2 -> throw new NoClassDefFoundError("org/example/Missing");
              case 3 -> throw new StackOverflowError();
              case 4 -> throw new InterruptedException();
              default -> {}
            }
          }
        };
    var listeners = new StatementListeners();
    listeners.follow(List.of(named("throwing", throwing)));
    for (int i = 0; i < 6; i++) {
      listeners.tell(statement("SELECT " + i));
    }
    listeners.close();
    assertThat(listeners.failed()).isEqualTo(4);
    assertThat(listeners.told()).isEqualTo(2);
    assertThat(throwing.heard).hasSize(6);
  }

  @Test
  void dropsWhatABlockedOneDoesNotTake() throws InterruptedException {
    var blocked = new Blocked();
    var other = new Hearing();
    try (var listeners = new StatementListeners()) {
      listeners.follow(List.of(named("blocked", blocked)));
      listeners.tell(statement("SELECT 1"));
      awaited(blocked.begun);
      IntStream.range(0, MANY).forEach(i -> listeners.tell(statement("SELECT " + i)));
      assertThat(listeners.dropped()).isEqualTo(MANY - WAITING);
      listeners.follow(List.of(named("blocked", blocked), named("other", other)));
      listeners.tell(statement("SELECT 'other'"));
      blocked.mayGoOn.countDown();
    }
    assertThat(other.texts()).containsExactly("SELECT ?");
  }

  @Test
  void keepsNoMoreThanItsShareOfTexts() throws InterruptedException {
    var blocked = new Blocked();
    String text = "SELECT " + "x".repeat(LONG_TEXT);
    try (var listeners = new StatementListeners()) {
      listeners.follow(List.of(named("blocked", blocked)));
      listeners.tell(statement("SELECT 1"));
      awaited(blocked.begun);
      IntStream.range(0, 2 * LONG_TEXTS).forEach(_ -> listeners.tell(statement(text)));
      assertThat(listeners.dropped()).isBetween((long) LONG_TEXTS, (long) LONG_TEXTS + 1);
      blocked.mayGoOn.countDown();
    }
  }

  @Test
  void closesThoseAloneThatAreNotNamedAnyMore() throws InterruptedException {
    var kept = new Hearing();
    var made = new Hearing();
    var left = new Hearing();
    try (var listeners = new StatementListeners()) {
      listeners.follow(List.of(named("kept", kept), named("left", left)));
      listeners.tell(statement("SELECT 1"));
      listeners.follow(List.of(named("kept", made)));
      awaited(left.closed);
      listeners.tell(statement("SELECT 'a'"));
    }
    assertThat(left.texts()).containsExactly("SELECT ?");
    assertThat(kept.heard).hasSize(2);
    assertThat(kept.closed.getCount()).isZero();
    assertThat(made.heard).isEmpty();
    assertThat(made.closed.getCount()).isOne();
  }

  @Test
  void interruptsOneThatDoesNotEnd() {
    var blocked = new Blocked();
    var listeners = new StatementListeners();
    listeners.follow(List.of(named("blocked", blocked)));
    listeners.tell(statement("SELECT 1"));
    listeners.tell(statement("SELECT 2"));
    listeners.close();
    assertThat(blocked.mayGoOn.getCount()).isOne();
    assertThat(listeners.areAny()).isFalse();
  }
}
