package io.anabranch.frontend.statementlog;

import io.anabranch.backend.background.BackgroundQuery;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.nio.charset.Charset;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sample of slow statements whose plans databases are asked for: so many in a minute, a few at
 * a time, and none twice in a minute. Thread-safe.
 */
final class Explanations {

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_AT_A_TIME = 4;

  private final LongSupplier nanoTime;

  // guarded by this
  private final Set<Long> asked = new HashSet<>();
  private long began;
  private int running;

  /**
   * @param nanoTime as {@code System.nanoTime}
   */
  Explanations(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /**
   * The question about a statement, if it is one of the sample: then {@link #ask} it.
   *
   * @param fingerprint of the statement
   * @param most in a minute
   * @param question null: there is nothing to ask about this one
   */
  synchronized @Nullable BackgroundQuery next(
      long fingerprint, int most, Supplier<@Nullable BackgroundQuery> question) {
    long now = nanoTime.getAsLong();
    if (now - began >= MINUTE) {
      began = now;
      asked.clear();
    }
    if (asked.size() >= most || running >= MOST_AT_A_TIME || asked.contains(fingerprint)) {
      return null;
    }
    BackgroundQuery next = question.get();
    if (next != null) {
      asked.add(fingerprint);
      running++;
    }
    return next;
  }

  /** Blocks. */
  Explanation ask(BackgroundQuery question, Charset charset) {
    String dataSource = question.query().dataSource();
    try {
      return new Explanation(dataSource, question.texts(charset), 0);
    } catch (ShardException.Database failure) {
      return Explanation.failed(dataSource, failure.errno());
    } catch (RefusedException failure) {
      return Explanation.failed(dataSource, failure.errno());
    } catch (ShardException.Lost lost) {
      return Explanation.failed(dataSource, ErrorCatalogue.DATA_SOURCE_DOWN.errno());
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    running--;
  }
}
