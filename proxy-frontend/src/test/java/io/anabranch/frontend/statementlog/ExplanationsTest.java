package io.anabranch.frontend.statementlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.background.BackgroundQuery;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.channel.DefaultEventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ExplanationsTest {

  /** Every data source is down. */
  private static final LeaseDesk NOBODY =
      new LeaseDesk() {
        @Override
        public void lease(Request request, Callback callback) {
          callback.leased(null, ErrorCatalogue.DATA_SOURCE_DOWN.refuse(request.dataSource(), ""));
        }

        @Override
        public Lease leaseBlocking(Request request, Consumer<Place> queued) {
          throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(request.dataSource(), "");
        }
      };

  private static final BackgroundQuery QUESTION =
      new BackgroundQuery(
          NOBODY,
          SessionSettings.INITIAL,
          new DefaultEventLoop(),
          ShardQuery.text("ds_0", "EXPLAIN SELECT 1".getBytes(UTF_8)),
          ExecuteParameters.NONE,
          false);

  private final AtomicLong now = new AtomicLong();
  private final Explanations explanations = new Explanations(now::get);

  private boolean isAsked(long fingerprint, int most) {
    BackgroundQuery question = explanations.next(fingerprint, most, () -> QUESTION);
    if (question == null) {
      return false;
    }
    assertThat(explanations.ask(question, UTF_8))
        .isEqualTo(Explanation.failed("ds_0", ErrorCatalogue.DATA_SOURCE_DOWN.errno()));
    return true;
  }

  @Test
  void eachTextOnceAndSoManyInAMinute() {
    assertThat(isAsked(1, 2)).isTrue();
    assertThat(isAsked(1, 2)).isFalse();
    assertThat(isAsked(2, 2)).isTrue();
    assertThat(isAsked(3, 2)).isFalse();
    now.addAndGet(TimeUnit.SECONDS.toNanos(59));
    assertThat(isAsked(3, 2)).isFalse();
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(isAsked(1, 2)).isTrue();
    assertThat(isAsked(3, 2)).isTrue();
  }

  @Test
  void whatCannotBeAskedTakesNothing() {
    assertThat(explanations.next(1, 1, () -> null)).isNull();
    assertThat(isAsked(1, 1)).isTrue();
  }

  @Test
  void fewAtATime() {
    for (int i = 0; i < 4; i++) {
      assertThat(explanations.next(i, 100, () -> QUESTION)).isNotNull();
    }
    assertThat(isAsked(4, 100)).isFalse();
    explanations.ask(QUESTION, UTF_8);
    assertThat(isAsked(4, 100)).isTrue();
  }
}
