package io.anabranch.frontend.answer;

import io.anabranch.backend.memory.SpareMemory;
import io.anabranch.frontend.answer.TableVersions.Stamp;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that are kept for other sessions, as query rules say: for a time, as long as no table
 * that they are about is changed through this proxy, and as there is room; of the answers that do
 * not fit those go that were asked for least recently. Thread-safe.
 */
public final class KeptAnswers {

  /** No answer is longer. */
  public static final int LONGEST = 1 << 20;

  /** Of the heap's budget, one part in so many. */
  private static final int PART = 8;

  /** So many are looked at in one go, for sessions wait meanwhile. */
  private static final int SWEPT = 4096;

  /** Objects of a key and an answer. */
  private static final int OVERHEAD = 512;

  private final TableVersions tables = new TableVersions();
  private final SpareMemory memory;
  private final long most;
  private final LongSupplier nanoTime;

  /** Guarded by itself; the one asked for least recently comes first. */
  private final Map<AnswerKey, Entry> answers = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<AnswerKey, AnswerFlight> flights = new ConcurrentHashMap<>();

  /** When they were set last; 0: never. */
  private final AtomicLong globals = new AtomicLong();

  private long bytes;
  private volatile @Nullable Object rules;

  /**
   * @param until nanoseconds
   */
  private record Entry(KeptAnswer answer, long until, long weight) {}

  /**
   * @param memory answers are charged to it
   * @param nanoTime nanoseconds of a clock without an epoch
   */
  public KeptAnswers(SpareMemory memory, LongSupplier nanoTime) {
    this.memory = memory;
    this.most = memory.limit() / PART;
    this.nanoTime = nanoTime;
  }

  /** How often tables were changed. */
  public TableVersions tables() {
    return tables;
  }

  /**
   * Whether all sessions tell what they change, so that answers can be kept under these rules.
   *
   * @param wanted rules that are replaced, never changed
   */
  @SuppressWarnings("ReferenceEquality")
  public boolean isOpen(Object wanted) {
    return rules == wanted;
  }

  /** From now on all sessions tell, under these rules. */
  public void open(Object wanted) {
    rules = wanted;
  }

  /** Not all do: nothing is kept. */
  public void close() {
    synchronized (answers) {
      rules = null;
      answers.clear();
      memory.give(bytes);
      bytes = 0;
    }
  }

  /**
   * SET GLOBAL has run: sessions that began before it have other settings than those that begin
   * now, which their own settings do not tell.
   *
   * @param since {@link System#nanoTime} of its end
   */
  public void globalsChanged(long since) {
    globals.accumulateAndGet(
        since, (known, next) -> known == 0 || next - known > 0 ? Math.max(1, next) : known);
    tables.any().begins();
    tables.any().ended();
  }

  /**
   * Whether all sessions of that age began with what new ones begin with.
   *
   * @param began {@link System#nanoTime}
   */
  public boolean knowsStart(long began) {
    long changed = globals.get();
    return changed == 0 || began - changed > 0;
  }

  /** The answer that another one has got; null: there is none that is good. */
  public @Nullable KeptAnswer find(AnswerKey key) {
    synchronized (answers) {
      Entry entry = answers.get(key);
      if (entry == null) {
        return null;
      }
      if (nanoTime.getAsLong() - entry.until < 0 && entry.answer.stamp().isValid()) {
        return entry.answer;
      }
      answers.remove(key);
      giveBack(entry);
      return null;
    }
  }

  /**
   * Keeps an answer, if it is still good and there is room.
   *
   * @param nanos how long
   */
  public void keep(AnswerKey key, KeptAnswer answer, long nanos) {
    long weight = OVERHEAD + key.weight() + answer.packets().length;
    if (weight > most || !answer.stamp().isValid()) {
      return;
    }
    var entry = new Entry(answer, nanoTime.getAsLong() + nanos, weight);
    synchronized (answers) {
      Entry before = answers.remove(key);
      if (before != null) {
        giveBack(before);
      }
      if (rules != null && makeRoom(weight)) {
        bytes += weight;
        answers.put(key, entry);
      }
    }
  }

  private boolean makeRoom(long weight) {
    while (bytes + weight > most && dropEldest()) {
      // until it fits
    }
    while (!memory.take(weight)) {
      if (!dropEldest()) {
        return false;
      }
    }
    return true;
  }

  private boolean dropEldest() {
    Iterator<Entry> eldest = answers.values().iterator();
    if (!eldest.hasNext()) {
      return false;
    }
    Entry entry = eldest.next();
    eldest.remove();
    giveBack(entry);
    return true;
  }

  private void giveBack(Entry entry) {
    bytes -= entry.weight;
    memory.give(entry.weight);
  }

  // ---------------------------------------------------------------- under way

  /** The read under way that has the same answer; null: there is none. */
  public @Nullable AnswerFlight flight(AnswerKey key) {
    return flights.get(key);
  }

  /**
   * A read is sent whose answer others may wait for; {@link #end} follows.
   *
   * @return null: there is one under way that is as good
   */
  public @Nullable AnswerFlight begin(AnswerKey key, Stamp stamp) {
    var own = new AnswerFlight(stamp);
    AnswerFlight first = flights.merge(key, own, (known, next) -> known.isGood() ? known : next);
    return own.equals(first) ? own : null;
  }

  /**
   * Others need not wait any more. Thread-safe, and may be repeated.
   *
   * @param answer null: there is none
   */
  public void end(AnswerKey key, AnswerFlight flight, @Nullable KeptAnswer answer) {
    flights.remove(key, flight);
    flight.end(answer);
  }

  // ---------------------------------------------------------------- what there is

  /** Drops what is no longer good of what nobody has asked for lately: it would stay else. */
  public void sweep() {
    long now = nanoTime.getAsLong();
    synchronized (answers) {
      Iterator<Entry> all = answers.values().iterator();
      for (int looked = 0; looked < SWEPT && all.hasNext(); looked++) {
        Entry entry = all.next();
        if (now - entry.until >= 0 || !entry.answer.stamp().isValid()) {
          all.remove();
          giveBack(entry);
        }
      }
    }
  }

  /** How many there are. */
  public int count() {
    synchronized (answers) {
      return answers.size();
    }
  }

  /** What they take. */
  public long bytes() {
    synchronized (answers) {
      return bytes;
    }
  }
}
