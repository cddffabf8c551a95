package io.anabranch.backend.xa;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds processes that have ended without a word, a {@code kill -9} for instance: the log's server
 * has freed the lock of their {@link LifeLine}, and they do not tell that they live any more. One
 * that has lost nothing but its connection tells so again before the time of grace is over, and one
 * that stands still keeps its lock: it is declared dead by its silence only. Used by one thread.
 */
final class DeadNodes {

  private static final Logger log = LoggerFactory.getLogger(DeadNodes.class);

  /**
   * @param beats how often it had told that it lives
   */
  private record Suspect(String beats, long since) {}

  private final LogStore store;
  private final Membership membership;
  private final long graceNanos;
  private final long silenceNanos;
  private final LongSupplier clock;
  private int renewals;
  private long renewed;
  private Map<String, Suspect> suspects = Map.of();

  /**
   * @param graceMilliseconds several times as long as a process that lives is silent
   * @param silenceMilliseconds after which processes are declared dead for silence: so long others
   *     have for coming back when this one had to connect anew
   * @param clock monotonic, in nanoseconds
   */
  DeadNodes(
      LogStore store,
      Membership membership,
      long graceMilliseconds,
      long silenceMilliseconds,
      LongSupplier clock) {
    this.store = store;
    this.membership = membership;
    this.graceNanos = TimeUnit.MILLISECONDS.toNanos(graceMilliseconds);
    this.silenceNanos = TimeUnit.MILLISECONDS.toNanos(silenceMilliseconds);
    this.clock = clock;
  }

  /** Whether the log's server was lost a while ago: those of others were, too, perhaps. */
  private boolean othersMayComeBack() {
    if (membership.renewals() != renewals) {
      renewals = membership.renewals();
      renewed = clock.getAsLong();
    }
    return renewals > 0 && clock.getAsLong() - renewed < silenceNanos;
  }

  /**
   * Looks for them, and declares dead whom an earlier look has found as well. Blocks.
   *
   * @return whether there are any, who can decide nothing more
   */
  boolean look() {
    if (!membership.isLocked() || othersMayComeBack()) {
      suspects = Map.of();
      return false;
    }
    boolean found = false;
    var now = new HashMap<String, Suspect>();
    Map<String, String> gone = store.gone(membership.clusterName(), membership.incarnation());
    for (Map.Entry<String, String> node : gone.entrySet()) {
      Suspect suspect = suspects.get(node.getKey());
      if (suspect == null || !suspect.beats.equals(node.getValue())) {
        suspect = new Suspect(node.getValue(), clock.getAsLong());
      }
      if (clock.getAsLong() - suspect.since < graceNanos) {
        now.put(node.getKey(), suspect);
      } else if (store.fence(node.getKey(), suspect.beats)) {
        log.warn(
            "XA: declared {} dead: its connection to the log has ended, and it is silent",
            node.getKey());
        found = true;
      }
    }
    suspects = now;
    return found;
  }
}
