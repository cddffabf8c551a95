package io.anabranch.frontend.limit;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All limits in force. Follows the configuration: what was counted stays when numbers change.
 * Thread-safe.
 */
public final class Limits {

  /**
   * @param version other than that of every table before
   * @param definitions in the configuration's order
   * @param limits the narrowest first: who has no place of its own takes none of all
   * @param digests all that limits name
   */
  record Table(
      long version, List<Limit> definitions, List<LimitInForce> limits, Set<String> digests) {

    @SuppressWarnings("ReferenceEquality") // definitions are replaced, never changed
    boolean isOf(List<Limit> wanted) {
      return definitions == wanted;
    }
  }

  private final Supplier<List<Limit>> definitions;
  private final LongSupplier nanoTime;

  /** Of each user, limited or not: a limit that comes into force knows who is there. */
  private final Map<String, Integer> connections = new ConcurrentHashMap<>();

  private volatile Table table = new Table(0, List.of(), List.of(), Set.of());
  private volatile Consumer<List<LimitInForce>> listener = _ -> {};

  /**
   * @param definitions those of the configuration in force; the same list as long as it is
   * @param nanoTime nanoseconds of a clock without an epoch
   */
  public Limits(Supplier<List<Limit>> definitions, LongSupplier nanoTime) {
    this.definitions = definitions;
    this.nanoTime = nanoTime;
  }

  /** Who is told of the limits in force, now and whenever others are. */
  public synchronized void listener(Consumer<List<LimitInForce>> told) {
    listener = told;
    told.accept(current().limits());
  }

  Table current() {
    List<Limit> wanted = definitions.get();
    Table known = table;
    return known.isOf(wanted) ? known : follow(wanted);
  }

  /** Follows the configuration, whether anybody asks or not: who waits in a line may go on. */
  public void refresh() {
    Table known = table;
    List<Limit> wanted = definitions.get();
    if (!known.isOf(wanted)) {
      follow(wanted);
    }
  }

  long now() {
    return nanoTime.getAsLong();
  }

  private synchronized Table follow(List<Limit> wanted) {
    Map<String, LimitInForce> former = new HashMap<>();
    table.limits.forEach(limit -> former.put(limit.name(), limit));
    List<LimitInForce> limits = new ArrayList<>();
    for (Limit each : wanted) {
      LimitInForce known = former.get(each.name());
      if (known == null || !known.isContinuedBy(each)) {
        limits.add(new LimitInForce(each));
        continue;
      }
      former.remove(each.name());
      if (!known.limit().equals(each)) {
        known.limit(each);
      }
      limits.add(known);
    }
    limits.sort(Comparator.comparingInt(limit -> width(limit.limit())));
    Set<String> digests =
        wanted.stream()
            .flatMap(limit -> limit.digests().stream())
            .collect(Collectors.toUnmodifiableSet());
    var next = new Table(table.version + 1, wanted, List.copyOf(limits), digests);
    table = next;
    former.values().forEach(LimitInForce::lift);
    listener.accept(next.limits);
    return next;
  }

  private static int width(Limit limit) {
    if (limit.each() != Limit.Each.NONE) {
      return 0;
    }
    boolean isOfAll =
        limit.users().isEmpty() && limit.databases().isEmpty() && limit.digests().isEmpty();
    return isOfAll ? 2 : 1;
  }

  /**
   * Counts one more connection of the user, which {@link #leave} takes back.
   *
   * @param former the user that the connection had before; null for a new connection
   * @throws RefusedException 1040, 1203, 1226 if there are too many; then it is not counted
   */
  public synchronized void enter(String user, @Nullable String former) {
    List<LimitInForce> limits = current().limits();
    long now = now();
    for (LimitInForce limit : limits) {
      SubjectLimits share = limit.ofConnections(user, now);
      if (share != null) {
        orThrow(share.refusesConnections(present(limit.limit(), share.subject(), former)));
      }
    }
    for (LimitInForce limit : limits) {
      SubjectLimits share = limit.ofConnections(user, now);
      orThrow(share == null ? null : share.refusesLogin(now));
    }
    connections.merge(user, 1, Integer::sum);
  }

  private int present(Limit limit, String subject, @Nullable String former) {
    boolean isOwn =
        former != null
            && limit.concerns(former)
            && limit.subject(former, null, null).equals(subject);
    return connections(limit, subject) - (isOwn ? 1 : 0);
  }

  private static void orThrow(@Nullable RefusedException refusal) {
    if (refusal != null) {
      throw refusal;
    }
  }

  /** One connection less of the user. */
  public synchronized void leave(String user) {
    connections.computeIfPresent(user, (_, count) -> count > 1 ? count - 1 : null);
  }

  private int connections(Limit of, String subject) {
    if (of.each() == Limit.Each.USER) {
      return connections.getOrDefault(subject, 0);
    }
    int count = 0;
    for (var user : connections.entrySet()) {
      count += of.concerns(user.getKey()) ? user.getValue() : 0;
    }
    return count;
  }

  /** What everybody has of each limit, in the configuration's order. */
  public List<LimitUse> uses() {
    Table now = current();
    List<LimitUse> rows = new ArrayList<>();
    for (Limit definition : now.definitions) {
      for (LimitInForce limit : now.limits) {
        if (limit.name().equals(definition.name())) {
          add(rows, limit);
        }
      }
    }
    return rows;
  }

  /** Counts anew how often each limit was too much. */
  public void forgetReached() {
    for (LimitInForce limit : current().limits) {
      limit.shares().forEach(SubjectLimits::forgetReached);
    }
  }

  private void add(List<LimitUse> rows, LimitInForce limit) {
    Limit definition = limit.limit();
    List<SubjectLimits> shares =
        limit.shares().stream().sorted(Comparator.comparing(SubjectLimits::subject)).toList();
    for (LimitKind kind : LimitKind.values()) {
      long allowed = kind.allowed(definition);
      if (allowed == 0) {
        continue;
      }
      for (SubjectLimits share : shares) {
        rows.add(use(definition, kind, allowed, share));
      }
      if (shares.isEmpty()) {
        rows.add(nobody(definition, kind, allowed));
      }
    }
  }

  private LimitUse use(Limit definition, LimitKind kind, long allowed, SubjectLimits share) {
    String subject = share.subject();
    long inUse =
        switch (kind) {
          case CONNECTIONS -> connections(definition, subject);
          case STATEMENTS -> share.running();
          default -> -1;
        };
    return new LimitUse(
        definition.name(),
        kind,
        subject.isEmpty() ? null : subject,
        allowed,
        inUse,
        kind == LimitKind.STATEMENTS ? share.waiting() : -1,
        share.reached(kind));
  }

  /** The row of a limit of which nobody has a share yet. */
  private LimitUse nobody(Limit definition, LimitKind kind, long allowed) {
    long inUse =
        switch (kind) {
          case CONNECTIONS ->
              definition.each() == Limit.Each.NONE ? connections(definition, "") : 0;
          case STATEMENTS -> 0;
          default -> -1;
        };
    return new LimitUse(
        definition.name(), kind, null, allowed, inUse, kind == LimitKind.STATEMENTS ? 0 : -1, 0);
  }
}
