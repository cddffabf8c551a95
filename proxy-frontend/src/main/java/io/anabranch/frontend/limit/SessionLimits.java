package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shares that concern one session. Remembers them as long as limits, user and database are the
 * same; used on the session's event loop only.
 */
public final class SessionLimits {

  private static final int MOST_DIGESTS = 64;

  private final Limits limits;
  private List<SubjectLimits> shares = List.of();
  private long version = -1;
  private String user = "";
  private @Nullable String database;

  /** Digests of the last texts, by fingerprint; empty: one that no limit names. */
  private final Map<Long, String> digests = new HashMap<>();

  private long digestsVersion = -1;

  public SessionLimits(Limits limits) {
    this.limits = limits;
  }

  /** For a session that nothing limits. */
  public static SessionLimits none() {
    return new SessionLimits(new Limits(List::of, System::nanoTime));
  }

  /**
   * Shares that a statement needs, the narrowest first: those of the user in the database, and of
   * its digest where a limit names it.
   *
   * @param fingerprint of the text: as long as it is the same, so is its digest
   */
  public List<SubjectLimits> of(
      String userName,
      @Nullable String currentDatabase,
      long fingerprint,
      Supplier<String> digest) {
    List<SubjectLimits> own = of(userName, currentDatabase);
    Limits.Table now = limits.current();
    if (now.digests().isEmpty()) {
      return own;
    }
    if (digestsVersion != now.version() || digests.size() >= MOST_DIGESTS) {
      digests.clear();
      digestsVersion = now.version();
    }
    String named =
        digests.computeIfAbsent(
            fingerprint,
            _ -> {
              String made = digest.get();
              return now.digests().contains(made) ? made : "";
            });
    return named.isEmpty() ? own : shares(now, userName, currentDatabase, named);
  }

  private List<SubjectLimits> shares(
      Limits.Table now,
      String userName,
      @Nullable String currentDatabase,
      @Nullable String digest) {
    long nanos = limits.now();
    return now.limits().stream()
        .map(limit -> limit.of(userName, currentDatabase, digest, nanos))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Shares of the user in the database whatever the statement is, the narrowest first. */
  public List<SubjectLimits> of(String userName, @Nullable String currentDatabase) {
    Limits.Table now = limits.current();
    if (now.limits().isEmpty()) {
      return List.of();
    }
    if (now.version() != version
        || !userName.equals(user)
        || !Objects.equals(currentDatabase, database)) {
      shares = shares(now, userName, currentDatabase, null);
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
