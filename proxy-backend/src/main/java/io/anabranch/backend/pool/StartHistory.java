package io.anabranch.backend.pool;

import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.StartValues;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which values sessions of a data source begin with, from when on. What is not known yet is learnt
 * from each connection that is opened. Thread-safe; looked at for each lease without a lock.
 */
final class StartHistory {

  /** Sessions that began before as many changes have those of the oldest that is known. */
  private static final int LONGEST = 64;

  /**
   * @param since {@link System#nanoTime}
   * @param ofSessions what they have of the values
   */
  private record Change(long since, StartValues values, StartValues ofSessions) {

    Change(long since, StartValues values) {
      this(since, values, values.ofSessions());
    }
  }

  private volatile List<Change> changes = List.of();

  /**
   * A connection has told what it began with.
   *
   * @param since when it was opened, {@link System#nanoTime}
   * @return the same values, as the one object that all have who begin with them
   */
  synchronized StartValues born(long since, StartValues values) {
    List<Change> known = changes;
    if (known.isEmpty()) {
      changes = List.of(new Change(since, values));
      return values;
    }
    Change last = known.getLast();
    if (last.values.equals(values)) {
      return last.values;
    }
    if (since - last.since < 0) {
      // opened before the latest change, told after it
      for (Change change : known) {
        if (change.values.equals(values)) {
          return change.values;
        }
      }
      return values;
    }
    Stream<Change> kept = known.stream().skip(known.size() < LONGEST ? 0 : 1);
    changes = Stream.concat(kept, Stream.of(new Change(since, values))).toList();
    return values;
  }

  /** What sessions have that begin now. */
  StartValues newest() {
    List<Change> known = changes;
    return known.isEmpty() ? StartValues.UNKNOWN : known.getLast().values;
  }

  /** What a session began with. */
  StartValues of(Lessee session) {
    List<Change> known = changes;
    if (known.size() < 2) {
      return known.isEmpty() ? StartValues.UNKNOWN : known.getFirst().ofSessions;
    }
    long startedAt = session.startedAt();
    for (int i = known.size() - 1; i > 0; i--) {
      if (startedAt - known.get(i).since >= 0) {
        return known.get(i).ofSessions;
      }
    }
    return known.getFirst().ofSessions;
  }
}
