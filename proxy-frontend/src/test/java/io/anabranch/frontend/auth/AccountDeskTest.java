package io.anabranch.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.StoredAccounts;
import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AccountDeskTest {

  private static final int FOREVER = 3_600_000;
  private static final AccountStore.Answer YES = new AccountStore.Granted(List.of("staff"));

  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final AccountDesk desk = new AccountDesk(System::nanoTime);
  private final CountDownLatch isOver = new CountDownLatch(1);

  @AfterEach
  void ends() {
    isOver.countDown();
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static StoredAccounts stored(AccountStore store, int milliseconds, int concurrent) {
    return new StoredAccounts(store, "TEST", Map.of(), milliseconds, concurrent, List.of());
  }

  /** What is answered; nothing if there is none. */
  private CompletableFuture<Optional<AccountStore.Answer>> ask(StoredAccounts store) {
    var answered = new CompletableFuture<Optional<AccountStore.Answer>>();
    loop.execute(() -> ask(store, "secret".getBytes(UTF_8), answered));
    return answered;
  }

  private Runnable ask(
      StoredAccounts store,
      byte[] password,
      CompletableFuture<Optional<AccountStore.Answer>> answered) {
    return desk.ask(
        new AuthenticationStep.Ask(store, "ada", "10.0.0.1", password),
        loop,
        (AccountStore.@Nullable Answer answer) -> {
          assertThat(loop.inEventLoop()).isTrue();
          answered.complete(Optional.ofNullable(answer));
        });
  }

  /** Blocks, and does not mind that it is interrupted. */
  private AccountStore.Answer block() {
    while (true) {
      try {
        isOver.await();
        return YES;
      } catch (InterruptedException stubborn) {
        assertThat(isOver.getCount()).isPositive();
      }
    }
  }

  @Test
  void asksOnAThreadOfItsOwnAndOverwritesThePassword() {
    var name = new CompletableFuture<String>();
    var answered = new CompletableFuture<Optional<AccountStore.Answer>>();
    byte[] password = "secret".getBytes(UTF_8);
    AccountStore store =
        (user, address, typed) -> {
          name.complete(
              Thread.currentThread().getName() + " " + user + " " + new String(typed, UTF_8));
          return YES;
        };
    loop.execute(() -> ask(stored(store, FOREVER, 1), password, answered));
    assertThat(answered.join()).contains(YES);
    assertThat(name.join()).startsWith("account-store-").endsWith(" ada secret");
    assertThat(Arrays.equals(password, new byte[password.length])).isTrue();
  }

  @Test
  void whateverItThrowsIsNoAnswer() {
    for (Throwable failure :
        List.of(
            new IllegalStateException("tell nobody"),
            new InterruptedException(),
            new NoClassDefFoundError("org/example/Missing"),
            new StackOverflowError(),
            new AssertionError())) {
      AccountStore store =
          (_, _, _) -> {
            switch (failure) {
              case Exception each -> throw each;
              case Error each -> throw each;
              default -> throw new IllegalStateException(failure);
            }
          };
      assertThat(ask(stored(store, FOREVER, 1)).join()).as("%s", failure).isEmpty();
      assertThat(ask(stored((_, _, _) -> YES, FOREVER, 1)).join()).contains(YES);
    }
  }

  @Test
  void whoDoesNotAnswerInTimeIsNotWaitedFor() {
    assertThat(ask(stored((_, _, _) -> block(), 50, 1)).join()).isEmpty();
  }

  @Test
  void timeIsUpInTheLineToo() {
    StoredAccounts stubborn = stored((_, _, _) -> block(), 50, 2);
    var asked = new ArrayList<CompletableFuture<Optional<AccountStore.Answer>>>();
    for (int i = 0; i < 20; i++) {
      asked.add(ask(stubborn));
    }
    for (var each : asked) {
      assertThat(each.join()).isEmpty();
    }
  }

  @Test
  void soManyAskAtATimeAndSoManyWait() throws Exception {
    var atATime = new AtomicInteger();
    var most = new AtomicInteger();
    var released = new CountDownLatch(1);
    StoredAccounts slow =
        stored(
            (_, _, _) -> {
              most.accumulateAndGet(atATime.incrementAndGet(), Math::max);
              released.await();
              atATime.decrementAndGet();
              return YES;
            },
            FOREVER,
            3);
    var asked = new ArrayList<CompletableFuture<Optional<AccountStore.Answer>>>();
    for (int i = 0; i < 1003; i++) {
      asked.add(ask(slow));
    }
    // one more than there is room for
    assertThat(ask(slow).join()).isEmpty();
    released.countDown();
    for (var each : asked) {
      assertThat(each.join()).contains(YES);
    }
    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void aStoreThatIsStuckIsLeftByAReload() {
    StoredAccounts stuck = stored((_, _, _) -> block(), 50, 1);
    assertThat(ask(stuck).join()).isEmpty();
    assertThat(ask(stored((_, _, _) -> YES, FOREVER, 2)).join()).contains(YES);
  }

  @Test
  void whoIsGoneIsForgottenAndMakesRoom() throws Exception {
    var begun = new CountDownLatch(1);
    var isInterrupted = new CountDownLatch(1);
    StoredAccounts slow =
        stored(
            (name, _, _) -> {
              begun.countDown();
              try {
                isOver.await();
              } catch (InterruptedException gone) {
                isInterrupted.countDown();
              }
              return YES;
            },
            FOREVER,
            1);
    var isAnswered = new AtomicBoolean();
    var forget = new CompletableFuture<Runnable>();
    loop.execute(
        () -> {
          var nobody = new CompletableFuture<Optional<AccountStore.Answer>>();
          nobody.thenRun(() -> isAnswered.set(true));
          forget.complete(ask(slow, new byte[] {1}, nobody));
        });
    begun.await();
    loop.submit(forget.join()).get();
    isInterrupted.await();
    loop.submit(() -> {}).get();
    assertThat(isAnswered).isFalse();
  }
}
