package io.anabranch.frontend.answer;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How often tables were changed through this proxy, by their names alone: what several databases
 * call alike counts as one, because two of them may be the same server's. Thread-safe.
 *
 * <p>From the moment at which a statement that changes a table is about to be sent until its
 * transaction has ended nobody knows what others see, and no answer about it is kept or given.
 */
public final class TableVersions {

  /** In the number of a table: the low bits count changes under way, the others all of them. */
  private static final long CHANGE = 1L << 24;

  /** With numbers of their own: clients may make tables without end. */
  static final int MOST_TABLES = 10_000;

  private final Map<String, Table> tables = new ConcurrentHashMap<>();
  private final Table any = new Table();
  private final Table others = new Table();

  /** One table, or all of them. */
  public static final class Table {

    private final AtomicLong state = new AtomicLong();

    private Table() {}

    void begins() {
      state.addAndGet(CHANGE + 1);
    }

    void ended() {
      state.decrementAndGet();
    }

    private static boolean isChanging(long at) {
      return (at & (CHANGE - 1)) != 0;
    }
  }

  /** What some tables were at one moment. */
  public static final class Stamp {

    private final Table[] tables;
    private final long[] states;

    private Stamp(Table[] tables, long[] states) {
      this.tables = tables;
      this.states = states;
    }

    /** Whether nobody has begun to change one of them since. */
    public boolean isValid() {
      for (int i = 0; i < tables.length; i++) {
        if (tables[i].state.get() != states[i]) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * @param name in lower case
   */
  public Table of(String name) {
    Table known = tables.get(name);
    return known == null ? first(name) : known;
  }

  /** A name has the same number for ever: none gets its own once some have had to do without. */
  private synchronized Table first(String name) {
    return tables.size() < MOST_TABLES
        ? tables.computeIfAbsent(name, _ -> new Table())
        : tables.getOrDefault(name, others);
  }

  /** What is changed by a statement that may change any table. */
  public Table any() {
    return any;
  }

  /**
   * What these tables are now.
   *
   * @return null while one of them is being changed
   */
  public @Nullable Stamp stamp(Collection<String> names) {
    var all = new Table[names.size() + 1];
    var states = new long[all.length];
    int count = 0;
    all[count++] = any;
    for (String name : names) {
      all[count++] = of(name);
    }
    for (int i = 0; i < count; i++) {
      states[i] = all[i].state.get();
      if (Table.isChanging(states[i])) {
        return null;
      }
    }
    return new Stamp(all, states);
  }
}
