package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.algorithm.KeyWaits;
import io.anabranch.rules.algorithm.StoredKeys;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code SEGMENT}: numbers of a counter in a database, taken a block at a time. The next block is
 * fetched, on a virtual thread, when half of one is used. What a proxy that ends has not used is
 * lost: no number is given twice.
 */
final class SegmentKeys implements StoredKeys {

  static final String TYPE = "SEGMENT";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final int MAX_STEP = 100_000_000;
  private static final long WAIT_MILLISECONDS = 10_000;

  private final String name;
  private final String dataSource;
  private final int step;
  private final long start;

  private @Nullable KeyStore store;

  /** From the first number on; none is left at {@code end}. */
  private long next;

  private long end;

  /** A block that is used when the first one does not suffice. */
  private long spareNext;

  private long spareEnd;

  private @Nullable CompletableFuture<@Nullable Void> fetching;

  SegmentKeys(String name, String dataSource, int step, long start) {
    this.name = name;
    this.dataSource = dataSource;
    this.step = step;
    this.start = start;
  }

  static KeyGenerator create(AlgorithmProperties properties) {
    String name = properties.requiredText("name").strip();
    if (properties.isValid() && !NAME.matcher(name).matches()) {
      properties.problem("name", "must be 1 to 128 letters, digits, dots, _ or -");
    }
    String dataSource = properties.requiredText("data-source").strip();
    int step = properties.integer("step", 1000, 1, MAX_STEP);
    int start = properties.integer("start", 1, 1, Integer.MAX_VALUE);
    properties.check();
    return new SegmentKeys(name, dataSource, step, start);
  }

  @Override
  public String dataSource() {
    return dataSource;
  }

  @Override
  public synchronized void serve(KeyStore current) {
    store = current;
    if (end - next == 0) {
      fetch(step);
    }
  }

  @Override
  public SqlValue next() {
    return next(1).getFirst();
  }

  @Override
  public List<SqlValue> next(int count) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MILLISECONDS);
    while (true) {
      CompletableFuture<@Nullable Void> coming;
      synchronized (this) {
        if (has(count)) {
          List<SqlValue> keys = take(count);
          if (end - next <= step / 2 && spareEnd == spareNext && fetching == null) {
            fetch(step);
          }
          return keys;
        }
        coming = fetch(Math.max(step, count));
      }
      if (!KeyWaits.areAllowed()) {
        throw ErrorCatalogue.KEYS_AWAITED.refuse(name);
      }
      await(coming, deadline);
    }
  }

  /** Whether so many that follow one another are at hand, at the price of a rest. */
  private boolean has(int count) {
    if (end - next < count && spareEnd - spareNext >= count) {
      next = spareNext;
      end = spareEnd;
      spareNext = spareEnd;
    }
    return end - next >= count;
  }

  private List<SqlValue> take(int count) {
    var keys = new ArrayList<SqlValue>(count);
    for (int i = 0; i < count; i++) {
      keys.add(new SqlValue.Int(next++));
    }
    return keys;
  }

  /** One at a time. */
  private CompletableFuture<@Nullable Void> fetch(int count) {
    CompletableFuture<@Nullable Void> current = fetching;
    if (current != null) {
      return current;
    }
    var coming = new CompletableFuture<@Nullable Void>();
    KeyStore from = store;
    if (from == null) {
      coming.completeExceptionally(
          ErrorCatalogue.KEYS_UNAVAILABLE.refuse(name, "the proxy does not run"));
      return coming;
    }
    fetching = coming;
    Thread.ofVirtual().name("keys " + name).start(() -> fetch(from, count, coming));
    return coming;
  }

  private void fetch(KeyStore from, int count, CompletableFuture<@Nullable Void> coming) {
    try {
      long first = from.block(name, start, count);
      synchronized (this) {
        install(first, first + count);
        fetching = null;
      }
      coming.complete(null);
    } catch (RuntimeException failed) {
      synchronized (this) {
        fetching = null;
      }
      coming.completeExceptionally(failed);
    }
  }

  private void install(long first, long limit) {
    if (spareEnd == spareNext && next < end) {
      spareNext = first;
      spareEnd = limit;
      return;
    }
    // the spare block was too small for somebody, or there is none
    next = spareNext;
    end = spareEnd;
    spareNext = first;
    spareEnd = limit;
    has(1);
  }

  private void await(CompletableFuture<@Nullable Void> coming, long deadline) {
    try {
      coming.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      throw ErrorCatalogue.KEYS_UNAVAILABLE.refuse(
          name, String.valueOf(cause == null ? failed : cause.getMessage()));
    } catch (TimeoutException late) {
      throw ErrorCatalogue.KEYS_UNAVAILABLE.refuse(
          name, "no answer within " + WAIT_MILLISECONDS + " ms");
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
  }
}
