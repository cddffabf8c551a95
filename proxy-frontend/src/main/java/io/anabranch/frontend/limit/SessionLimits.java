package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shares that concern one session. Remembers them as long as limits, user and database are the
 * same; used on the session's event loop only.
 */
public final class SessionLimits {

  private final Limits limits;
  private List<SubjectLimits> shares = List.of();
  private long version = -1;
  private String user = "";
  private @Nullable String database;

  public SessionLimits(Limits limits) {
    this.limits = limits;
  }

  /** For a session that nothing limits. */
  public static SessionLimits none() {
    return new SessionLimits(new Limits(List::of, System::nanoTime));
  }

  /** Shares of the user in the database, the narrowest first. */
  public List<SubjectLimits> of(String userName, @Nullable String currentDatabase) {
    Limits.Table now = limits.current();
    if (now.limits().isEmpty()) {
      return List.of();
    }
    if (now.version() != version
        || !userName.equals(user)
        || !Objects.equals(currentDatabase, database)) {
      long nanos = limits.now();
      shares =
          now.limits().stream()
              .map(limit -> limit.of(userName, currentDatabase, nanos))
              .filter(Objects::nonNull)
              .toList();
      version = now.version();
      user = userName;
      database = currentDatabase;
    }
    return shares;
  }

  /** Nanoseconds of the limits' clock. */
  public long now() {
    return limits.now();
  }

  /**
   * The shortest time that one of them allows.
   *
   * @param otherwise milliseconds that everybody has; 0 for any time
   * @return milliseconds; 0 for any time
   */
  public static long milliseconds(List<SubjectLimits> shares, LimitKind kind, long otherwise) {
    long shortest = otherwise;
    for (SubjectLimits share : shares) {
      long own = kind.allowed(share.limit());
      if (own > 0 && (shortest == 0 || own < shortest)) {
        shortest = own;
      }
    }
    return shortest;
  }

  /** A transaction was ended for a time that these allow: it is counted for them. */
  public static void ended(List<SubjectLimits> shares, LimitKind kind, long milliseconds) {
    for (SubjectLimits share : shares) {
      Limit limit = share.limit();
      if (kind.allowed(limit) == milliseconds) {
        share.ended(kind);
      }
    }
  }
}
