package io.anabranch.app.cluster;

import io.anabranch.app.live.LiveConfiguration;
import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.RegistryException;
import io.anabranch.backend.registry.Revision;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what other proxies have agreed on, and tells them that this one is there. A registry
 * that does not answer is told of once; the proxy goes on with what it has. What is refused here,
 * because this machine lacks a secret or does not reach a database, is told once and tried again.
 *
 * <p>{@link #look} is for one thread.
 */
final class ClusterFollower {

  private static final Logger log = LoggerFactory.getLogger(ClusterFollower.class);

  /** A proxy tells of itself so many times before others could count it as gone. */
  private static final long BEATS = 4;

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ClusterRegistry registry;
  private final SharedRevisions revisions;
  private final LiveConfiguration live;
  private final Self self;
  private final LongSupplier nanoTime;
  private final long beatNanos;

  private volatile boolean isReachable = true;
  private volatile ClusterMember.State state = ClusterMember.State.OK;

  /** The last revision that could not be taken, when, and why. */
  private long refused;

  private long refusedAt;
  private @Nullable String reason;

  /** What the registry knows of this proxy, and since when; null: nothing. */
  private @Nullable ClusterMember told;

  private long toldAt;

  /** What this proxy says of itself. */
  interface Self {
    ClusterMember at(long revision, ClusterMember.State state);

    /** The registry is to keep what it has of this proxy. */
    void beat() throws RegistryException;

    /** What the others have asked meanwhile. */
    void answer() throws RegistryException;
  }

  /**
   * @param timeToLiveNanos after which others count a silent proxy as gone
   * @param nanoTime nanoseconds of a clock without an epoch
   */
  ClusterFollower(
      ClusterRegistry registry,
      SharedRevisions revisions,
      LiveConfiguration live,
      Self self,
      long timeToLiveNanos,
      LongSupplier nanoTime) {
    this.registry = registry;
    this.revisions = revisions;
    this.live = live;
    this.self = self;
    this.beatNanos = timeToLiveNanos / BEATS;
    this.nanoTime = nanoTime;
  }

  /** Asks once, and acts. Blocks. */
  void look() {
    // asked before the registry is: a change of this proxy is there before it is in force here
    long here = live.number();
    try {
      long newest = registry.newest();
      boolean isBack = reached();
      if (newest < here) {
        putBack(newest, here);
        compare(here);
      } else if (newest == refused) {
        if (isTimeToTryAgain()) {
          take(newest);
        }
      } else if (newest > here) {
        take(newest);
      } else if (isBack) {
        compare(here);
      }
      beat();
      self.answer();
    } catch (RegistryException failure) {
      lost(failure);
    }
  }

  /** Whether the registry has answered the last time. */
  boolean isReachable() {
    return isReachable;
  }

  /** Whether this proxy works with what the cluster has agreed on. */
  ClusterMember.State state() {
    return state;
  }

  private boolean isTimeToTryAgain() {
    return nanoTime.getAsLong() - refusedAt >= RETRY_NANOS;
  }

  private void take(long newest) throws RegistryException {
    Revision revision = registry.revision(newest);
    if (revision == null) {
      return;
    }
    try {
      live.take(newest, revision.author(), revision.texts(), () -> revisions.took(revision));
    } catch (ConfigurationRefusedException problems) {
      refused(newest, revision, problems);
      return;
    }
    state = ClusterMember.State.OK;
    refused = 0;
    reason = null;
  }

  /**
   * The registry knows less than this proxy: it was restored from a backup, or its database failed
   * over to one that had not got everything. What it has lost is in force here, and maybe
   * elsewhere; whoever starts next must not find what was before it.
   */
  private void putBack(long newest, long here) throws RegistryException {
    boolean hasPut = false;
    for (Revision lost : revisions.after(newest, here)) {
      hasPut |= registry.publish(lost);
    }
    if (hasPut) {
      log.warn(
          "cluster: the registry had lost what came after revision {}; this proxy has put back"
              + " what it has, up to {}",
          newest,
          here);
    }
  }

  /** What was lost may have been agreed on anew, and otherwise, under the same number. */
  private void compare(long here) throws RegistryException {
    Revision there = registry.revision(here);
    boolean isAnother =
        there != null
            && revisions.after(here - 1, here).stream()
                .anyMatch(known -> !known.hasTexts(there.texts()));
    if (isAnother) {
      log.warn(
          "cluster: the registry has another revision {} than this proxy works with: it had lost"
              + " that one, and is followed",
          here);
      take(here);
    }
  }

  private void refused(long number, Revision revision, ConfigurationRefusedException problems) {
    refused = number;
    refusedAt = nanoTime.getAsLong();
    state = ClusterMember.State.REFUSED;
    String problem = number + ": " + problems.getMessage();
    if (!problem.equals(reason)) {
      reason = problem;
      log.error(
          "cluster: revision {} by {} cannot be taken, and this proxy goes on with {}:\n{}",
          number,
          revision.author(),
          live.number(),
          problems.getMessage());
    }
  }

  private void beat() throws RegistryException {
    long now = nanoTime.getAsLong();
    ClusterMember member = self.at(live.number(), state);
    if (!member.equals(told) || now - toldAt >= beatNanos) {
      registry.present(member);
      self.beat();
      told = member;
      toldAt = now;
    }
  }

  /** Whether it had not answered before. */
  private boolean reached() {
    if (isReachable) {
      return false;
    }
    isReachable = true;
    told = null;
    log.info("cluster: the registry answers again");
    return true;
  }

  private void lost(RegistryException failure) {
    if (isReachable) {
      isReachable = false;
      log.warn(
          "cluster: {}; this proxy goes on with revision {}", failure.getMessage(), live.number());
    }
  }
}
