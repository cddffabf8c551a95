package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.task.PlanScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Plans by fingerprint, verified: a hit needs the same scope, the same normal form byte by byte,
 * and the same literals in the slots that decided the plan's shape ({@link
 * StatementPlan#guardedSlots()}).
 *
 * <p>Names of columns without an alias are the client's own text: their spacing is compared, too.
 *
 * <p>Looking up takes no lock and allocates nothing. Bounded: when it is full, the oldest plan that
 * was not used since it was last considered goes (second chance).
 */
public final class PlanCache {

  /** Statements with more slots than this are planned each time: bulk inserts. */
  static final int MOST_SLOTS = 512;

  private static final int LONGEST_TEXT = 1 << 16;
  private static final int PART_OF_HEAP = 16;
  private static final int FIXED_WEIGHT = 1024;

  /** What a text becomes in a plan: templates, names, routes. */
  private static final int TEXTS = 8;

  /** What a description of a column takes: its names, and what is made of it. */
  private static final int COLUMN_WEIGHT = 256;

  private static final class Entry {
    final long number;
    final long fingerprint;
    final long spacing;
    final PlanScope scope;
    final byte[] normalForm;
    final int slotCount;
    final int[] guardedSlots;
    final byte[][] guards;
    final long columns;
    final int length;
    final StatementPlan plan;
    final long definitions;
    final @Nullable Entry next;
    volatile boolean used;

    Entry(
        long number,
        Scan scan,
        PlanScope scope,
        StatementPlan plan,
        long columns,
        long definitions,
        @Nullable Entry next) {
      this.number = number;
      this.definitions = definitions;
      this.columns = columns;
      this.length = scan.lengthWithoutSlots();
      this.fingerprint = scan.fingerprint();
      this.spacing = scan.spacing();
      this.scope = scope;
      this.normalForm = scan.copyNormalForm();
      this.slotCount = scan.slotCount();
      this.guardedSlots = plan.guardedSlots();
      this.guards = new byte[guardedSlots.length][];
      for (int i = 0; i < guards.length; i++) {
        int slot = guardedSlots[i];
        guards[i] = Arrays.copyOfRange(scan.sql(), scan.slotStart(slot), scan.slotEnd(slot));
      }
      this.plan = plan;
      this.next = next;
    }

    /** About what it costs to keep, in bytes. */
    long weight() {
      long weight = FIXED_WEIGHT + TEXTS * (long) length + COLUMN_WEIGHT * columns;
      for (byte[] guard : guards) {
        weight += guard.length;
      }
      return weight;
    }

    /** The same plan in front of another chain. */
    Entry(Entry other, @Nullable Entry next) {
      this.number = other.number;
      this.fingerprint = other.fingerprint;
      this.spacing = other.spacing;
      this.scope = other.scope;
      this.normalForm = other.normalForm;
      this.slotCount = other.slotCount;
      this.guardedSlots = other.guardedSlots;
      this.guards = other.guards;
      this.columns = other.columns;
      this.length = other.length;
      this.plan = other.plan;
      this.definitions = other.definitions;
      this.next = next;
      this.used = other.used;
    }

    boolean fits(Scan scan, PlanScope wanted) {
      return fingerprint == scan.fingerprint()
          && spacing == scan.spacing()
          && scope.equals(wanted)
          && slotCount == scan.slotCount()
          && scan.hasNormalForm(normalForm)
          && guardsHold(scan);
    }

    private boolean guardsHold(Scan scan) {
      for (int i = 0; i < guards.length; i++) {
        int slot = guardedSlots[i];
        byte[] guard = guards[i];
        if (!Arrays.equals(
            guard, 0, guard.length, scan.sql(), scan.slotStart(slot), scan.slotEnd(slot))) {
          return false;
        }
      }
      return true;
    }
  }

  /** A plan's place in the order of eviction; its entry may be rebuilt when a chain changes. */
  private record Place(int bucket, long number) {}

  private final int capacity;
  private final AtomicReferenceArray<@Nullable Entry> buckets;
  private final ReentrantLock writing = new ReentrantLock();
  private final Deque<Place> places = new ArrayDeque<>();
  private final long mostBytes;
  private long weight;
  private long puts;

  /**
   * @param capacity plans that are kept at most; long ones are fewer, so that all of them have no
   *     more than a sixteenth of the heap
   */
  public PlanCache(int capacity) {
    this(capacity, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * @param mostBytes about what all plans may cost to keep
   */
  PlanCache(int capacity, long mostBytes) {
    this.mostBytes = mostBytes;
    this.capacity = Math.max(1, capacity);
    int size = Integer.highestOneBit(Math.max(16, this.capacity) * 2 - 1);
    buckets = new AtomicReferenceArray<>(size);
  }

  /**
   * The plan for this statement, or null.
   *
   * @param definitions a plan that was made by others is none
   */
  public @Nullable StatementPlan find(Scan scan, PlanScope scope, long definitions) {
    Entry entry = entry(scan, scope);
    if (entry == null || entry.definitions != definitions || entry.plan.isStale()) {
      return null;
    }
    if (!entry.used) {
      entry.used = true;
    }
    return entry.plan;
  }

  private @Nullable Entry entry(Scan scan, PlanScope scope) {
    Entry entry = buckets.get(bucketOf(scan));
    while (entry != null && !entry.fits(scan, scope)) {
      entry = entry.next;
    }
    return entry;
  }

  private int bucketOf(Scan scan) {
    return (int) scan.fingerprint() & (buckets.length() - 1);
  }

  /**
   * Keeps a plan, unless the statement is too large to be worth it or is there already.
   *
   * @param columns that databases described for it
   * @param definitions what it was made by
   */
  public void put(Scan scan, PlanScope scope, StatementPlan plan, long columns, long definitions) {
    if (scan.slotCount() > MOST_SLOTS || scan.lengthWithoutSlots() > LONGEST_TEXT) {
      return;
    }
    writing.lock();
    try {
      Entry known = entry(scan, scope);
      if (known != null && known.definitions >= definitions && !known.plan.isStale()) {
        return;
      }
      int bucket = bucketOf(scan);
      if (known != null) {
        var place = new Place(bucket, known.number);
        places.remove(place);
        forget(place, known);
      }
      var entry = new Entry(++puts, scan, scope, plan, columns, definitions, null);
      long more = entry.weight();
      while (!places.isEmpty() && (places.size() >= capacity || weight + more > mostBytes)) {
        evictOne();
      }
      buckets.set(bucket, new Entry(entry, buckets.get(bucket)));
      places.add(new Place(bucket, puts));
      weight += more;
    } finally {
      writing.unlock();
    }
  }

  private void evictOne() {
    for (int tries = places.size(); tries >= 0; tries--) {
      Place oldest = places.remove();
      Entry entry = entryOf(oldest);
      if (entry != null && entry.used && tries > 0) {
        entry.used = false;
        places.add(oldest);
      } else {
        forget(oldest, entry);
        return;
      }
    }
  }

  /** It has no place in the order of eviction any more. */
  private void forget(Place former, @Nullable Entry entry) {
    weight -= entry == null ? 0 : entry.weight();
    buckets.set(former.bucket(), without(buckets.get(former.bucket()), former.number()));
  }

  private @Nullable Entry entryOf(Place place) {
    Entry entry = buckets.get(place.bucket());
    while (entry != null && entry.number != place.number()) {
      entry = entry.next;
    }
    return entry;
  }

  private static @Nullable Entry without(@Nullable Entry chain, long number) {
    var before = new ArrayDeque<Entry>();
    Entry each = chain;
    while (each != null && each.number != number) {
      before.push(each);
      each = each.next;
    }
    Entry rest = each == null ? null : each.next;
    for (Entry one : before) {
      rest = new Entry(one, rest);
    }
    return rest;
  }

  /** Forgets everything. */
  public void clear() {
    writing.lock();
    try {
      for (int i = 0; i < buckets.length(); i++) {
        buckets.set(i, null);
      }
      places.clear();
      weight = 0;
    } finally {
      writing.unlock();
    }
  }

  /** All that were made by those definitions, in no order. */
  List<Planner.CachedPlan> all(long definitions) {
    var all = new ArrayList<Planner.CachedPlan>();
    for (int i = 0; i < buckets.length(); i++) {
      for (Entry entry = buckets.get(i); entry != null; entry = entry.next) {
        if (entry.definitions == definitions) {
          all.add(
              new Planner.CachedPlan(
                  entry.scope, entry.normalForm, entry.guards.length, entry.plan));
        }
      }
    }
    return all;
  }

  /** How many plans are kept. */
  public int size() {
    writing.lock();
    try {
      return places.size();
    } finally {
      writing.unlock();
    }
  }
}
