package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A limit and the shares that its subjects have of it: as many as accounts or databases there are,
 * or digests that it names. Its numbers may change while it is in force. Thread-safe.
 */
public final class LimitInForce {

  private final ConcurrentHashMap<String, SubjectLimits> subjects = new ConcurrentHashMap<>();
  private volatile Limit limit;

  LimitInForce(Limit limit) {
    this.limit = limit;
  }

  Limit limit() {
    return limit;
  }

  public String name() {
    return limit.name();
  }

  /** Whether the other one has the same subjects, so that what was counted stays true. */
  boolean isContinuedBy(Limit changed) {
    return changed.name().equals(limit.name()) && changed.each() == limit.each();
  }

  void limit(Limit changed) {
    limit = changed;
    subjects.values().forEach(subject -> subject.limit(changed));
  }

  /** It is no longer in force: who waits for it goes on. */
  void lift() {
    limit(limit.lifted());
  }

  /**
   * The share of who sends a statement there; null where the limit does not concern it.
   *
   * @param digest of the statement; null: none that limits name
   */
  @Nullable SubjectLimits of(
      String user, @Nullable String database, @Nullable String digest, long now) {
    Limit current = limit;
    return current.concerns(user, database, digest)
        ? share(current, current.subject(user, database, digest), now)
        : null;
  }

  /** The share of who connects; null where the limit does not concern them. */
  @Nullable SubjectLimits ofConnections(String user, long now) {
    Limit current = limit;
    return current.countsConnections() && current.concerns(user)
        ? share(current, current.subject(user, null, null), now)
        : null;
  }

  private SubjectLimits share(Limit current, String subject, long now) {
    SubjectLimits found =
        subjects.computeIfAbsent(subject, key -> new SubjectLimits(current, key, now));
    Limit latest = limit;
    if (!found.limit().equals(latest)) {
      // Made while the numbers changed.
      found.limit(latest);
    }
    return found;
  }

  Collection<SubjectLimits> shares() {
    return List.copyOf(subjects.values());
  }

  /** How often it was too much. */
  public long reached(LimitKind kind) {
    return sum(subject -> subject.reached(kind));
  }

  /** Statements that run and have a place of it. */
  public long running() {
    return sum(SubjectLimits::running);
  }

  /** Statements in its line. */
  public long waiting() {
    return sum(SubjectLimits::waiting);
  }

  private long sum(ToLongFunction<SubjectLimits> of) {
    return subjects.values().stream().mapToLong(of).sum();
  }
}
