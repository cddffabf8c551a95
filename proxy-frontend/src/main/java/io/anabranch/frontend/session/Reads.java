package io.anabranch.frontend.session;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.model.ReadPolicy.Destination;
import io.anabranch.rules.model.ReadPolicy.UserReads;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one session has written, and what its reads must therefore see. Like the session: on its
 * event loop, or on the virtual thread that works for it.
 */
public final class Reads implements LeaseDesk.Commits {

  private final Session session;

  /** By database and group. */
  private final Map<String, Position> written = new HashMap<>();

  private @Nullable Consistency chosen;
  private boolean wroteUntracked;
  private boolean wroteInTransaction;
  private boolean hasWritten;
  private long lastWriteNanos;

  Reads(Session session) {
    this.session = session;
  }

  /** What the session chose for itself; null: what its groups say. */
  public @Nullable Consistency chosen() {
    return chosen;
  }

  /** SET anabranch_read_consistency; null: DEFAULT. */
  public void choose(@Nullable Consistency wanted) {
    chosen = wanted;
  }

  /** What a read under this policy is sure to see. */
  public Consistency consistency(ReadPolicy policy) {
    Consistency own = chosen;
    if (own != null) {
      return own;
    }
    UserReads user = policy.users().isEmpty() ? null : policy.users().get(session.user().name());
    return user == null ? policy.consistency() : user.consistency();
  }

  /** Whether a plain read outside of transactions goes to the primary, whatever else holds. */
  public boolean needsPrimary(ReadPolicy policy, Topology topology, String endpoint) {
    if (!policy.users().isEmpty()) {
      UserReads user = policy.users().get(session.user().name());
      if (user != null && user.destination() == Destination.PRIMARY) {
        return true;
      }
    }
    if (wroteInTransaction) {
      wroteInTransaction = false;
      lastWriteNanos = System.nanoTime();
    }
    if (policy.primaryAfterWriteMilliseconds() > 0
        && hasWritten
        && System.nanoTime() - lastWriteNanos
            < TimeUnit.MILLISECONDS.toNanos(policy.primaryAfterWriteMilliseconds())) {
      return true;
    }
    return switch (consistency(policy)) {
      case EVENTUAL -> false;
      case SESSION -> wroteUntracked;
      case USER -> wroteUntracked || topology.wroteUntracked(endpoint, session.user().name());
      case GLOBAL -> false;
    };
  }

  /** What a read must see of what was written; null: nothing in particular. */
  public @Nullable Position needed(ReadPolicy policy, Topology topology, Backend of, String group) {
    return switch (consistency(policy)) {
      case EVENTUAL, GLOBAL -> null;
      case SESSION -> written.isEmpty() ? null : written.get(key(of.database().name(), group));
      case USER -> topology.written(group, session.user().name());
    };
  }

  /**
   * Whether a read of this session may have what another's brings: it need not see what was written
   * here, nor all that was committed before.
   */
  public boolean areAsOthers(Backend of) {
    for (String endpoint : of.database().endpoints()) {
      ReadPolicy policy = of.topology().reads(endpoint);
      boolean is =
          policy == null
              || switch (consistency(policy)) {
                case EVENTUAL -> !hasWritten || policy.primaryAfterWriteMilliseconds() == 0;
                case SESSION -> !hasWritten;
                case USER, GLOBAL -> false;
              };
      if (!is) {
        return false;
      }
    }
    return true;
  }

  /**
   * A statement that may write is about to run.
   *
   * @param inTransaction whether others see it later, at COMMIT
   */
  public void writes(Backend of, String endpoint, boolean inTransaction) {
    if (of.topology().reads(endpoint) == null) {
      return;
    }
    hasWritten = true;
    wroteInTransaction |= inTransaction;
    lastWriteNanos = System.nanoTime();
    var variables = session.settings().variables();
    if (!of.topology().tracksWrites(endpoint) || variables.containsKey("session_track_gtids")) {
      wroteUntracked = true;
      of.topology().writesUntracked(endpoint, session.user().name());
    }
  }

  @Override
  public void committed(String database, String dataSource, String gtid) {
    Backend of = session.deployment().backend(database);
    String group = of == null ? null : of.topology().groupOf(dataSource);
    if (of == null || group == null) {
      return;
    }
    lastWriteNanos = System.nanoTime();
    Position position = Position.parse(gtid);
    written.merge(key(database, group), position, Position::plus);
    of.topology().committed(group, session.user().name(), position);
  }

  private static String key(String database, String group) {
    return database + "." + group;
  }

  /** COM_RESET_CONNECTION, COM_CHANGE_USER: another session as far as reads go. */
  void reset() {
    chosen = null;
    written.clear();
    wroteUntracked = false;
    wroteInTransaction = false;
    hasWritten = false;
  }
}
