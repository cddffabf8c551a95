package io.anabranch.backend.deadlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom. Whoever waits for locks goes on when all goes on that has them; whoever waits
 * for one of a number of permits goes on when anybody goes on that has one. Those of whom nothing
 * is said wait for nobody.
 *
 * @param <T> told apart by {@code equals}
 */
final class WaitGraph<T> {

  private final Map<T, Set<T>> locks = new LinkedHashMap<>();
  private final Map<T, List<Permits<T>>> lines = new LinkedHashMap<>();

  /**
   * Equal things that are had or waited for.
   *
   * @param count how many there are
   * @param holders who has one, once for each it has; fewer than {@code count} if somebody else has
   *     the rest
   */
  record Permits<T>(int count, List<T> holders) {}

  /**
   * Some that wait for each other alone.
   *
   * @param victim who gives way
   */
  record Deadlock<T>(T victim, Set<T> members) {}

  void waitsForLock(T waiter, T holder) {
    locks.computeIfAbsent(waiter, _ -> new LinkedHashSet<>()).add(holder);
  }

  void waitsForOne(T waiter, Permits<T> of) {
    lines.computeIfAbsent(waiter, _ -> new ArrayList<>()).add(of);
  }

  /** Who never goes on. */
  Set<T> stuck() {
    return stuck(Set.of());
  }

  private Set<T> stuck(Set<T> givingWay) {
    var stuck = new LinkedHashSet<>(locks.keySet());
    stuck.addAll(lines.keySet());
    stuck.removeAll(givingWay);
    boolean changes = true;
    while (changes) {
      changes = stuck.removeIf(each -> !isHeldUp(each, stuck));
    }
    return stuck;
  }

  private boolean isHeldUp(T waiter, Set<T> stuck) {
    for (T holder : locks.getOrDefault(waiter, Set.of())) {
      if (stuck.contains(holder)) {
        return true;
      }
    }
    for (Permits<T> permits : lines.getOrDefault(waiter, List.of())) {
      int gone = 0;
      for (T holder : permits.holders()) {
        gone += stuck.contains(holder) ? 1 : 0;
      }
      if (gone >= permits.count()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Deadlocks, and who has to give way so that all others go on. Somebody who waits for itself
   * alone is left to its timeout: to begin anew would not help it.
   *
   * @param order the first of a deadlock's members gives way
   */
  List<Deadlock<T>> deadlocks(Comparator<T> order) {
    var found = new ArrayList<Deadlock<T>>();
    var victims = new HashSet<T>();
    for (Set<T> knot = knot(stuck()); knot != null; knot = knot(stuck(victims))) {
      T victim = knot.stream().min(order).orElseThrow();
      victims.add(victim);
      found.add(new Deadlock<>(victim, knot));
    }
    return found;
  }

  /** Several that each wait for all of them and, in the end, for nobody else; null: none. */
  private @Nullable Set<T> knot(Set<T> stuck) {
    var awaited = new HashMap<T, Set<T>>();
    Set<T> holders = holders(stuck);
    holders.forEach(each -> awaited.put(each, awaited(each, stuck)));
    for (T each : holders) {
      Set<T> others = awaited.getOrDefault(each, Set.of());
      boolean isKnot =
          others.size() > 1
              && others.stream()
                  .allMatch(other -> awaited.getOrDefault(other, Set.of()).contains(each));
      if (isKnot) {
        return others;
      }
    }
    return null;
  }

  /**
   * Those for whom others wait. Whoever only stands in line is in no knot, and there may be any
   * number of them.
   */
  private Set<T> holders(Set<T> stuck) {
    var holders = new LinkedHashSet<T>();
    var looked = Collections.<Permits<T>>newSetFromMap(new IdentityHashMap<>());
    for (T each : stuck) {
      holders.addAll(locks.getOrDefault(each, Set.of()));
      for (Permits<T> permits : lines.getOrDefault(each, List.of())) {
        if (looked.add(permits)) {
          holders.addAll(permits.holders());
        }
      }
    }
    holders.retainAll(stuck);
    return holders;
  }

  /** All that it waits for, by others too. */
  private Set<T> awaited(T waiter, Set<T> stuck) {
    var found = new LinkedHashSet<T>();
    var left = new ArrayDeque<T>(List.of(waiter));
    for (T each = left.poll(); each != null; each = left.poll()) {
      var next = new ArrayList<T>(locks.getOrDefault(each, Set.of()));
      lines.getOrDefault(each, List.of()).forEach(permits -> next.addAll(permits.holders()));
      for (T holder : next) {
        if (stuck.contains(holder) && found.add(holder)) {
          left.add(holder);
        }
      }
    }
    return found;
  }
}
