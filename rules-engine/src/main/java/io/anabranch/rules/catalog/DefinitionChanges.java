package io.anabranch.rules.catalog;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often tables have been defined otherwise: whoever remembers what was told of them, or was
 * made of it, compares its number with the one of now. One for all configurations that are in
 * force, were, or will be: a definition that changes beside a reload is old in each of them.
 * Thread-safe.
 */
public final class DefinitionChanges {

  /** Databases that clients create have any number of names: several may share a count. */
  private static final int PLACES = 1024;

  private final AtomicLongArray tables = new AtomicLongArray(PLACES);
  private final AtomicLong plans = new AtomicLong();

  /**
   * Of a database's tables. What was asked for before this number changed is not true any more.
   *
   * @param database its name, in any case
   */
  public long ofTables(String database) {
    return tables.get(place(database));
  }

  /** Its tables have changed; plans are made of them, so that {@link #plansChanged} comes next. */
  public void tablesChanged(String database) {
    tables.incrementAndGet(place(database));
  }

  /** Of all plans. */
  public long ofPlans() {
    return plans.get();
  }

  public void plansChanged() {
    plans.incrementAndGet();
  }

  private static int place(String database) {
    return Math.floorMod(database.toLowerCase(Locale.ROOT).hashCode(), PLACES);
  }
}
