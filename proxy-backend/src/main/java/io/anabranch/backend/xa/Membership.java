package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as one that may decide on transactions. It registers in the log under a name of its
 * own and tells now and then that it lives; once others have declared it dead it begins a new life
 * under another name. Thread-safe.
 */
final class Membership {

  private static final Logger log = LoggerFactory.getLogger(Membership.class);
  private static final int CODE_LENGTH = 6;
  private static final int LIFE_LENGTH = 10;

  private final LogStore store;
  private final LifeLine line;
  private final String clusterName;
  private final String node;
  private final RandomGenerator random;
  private final AtomicLong numbers = new AtomicLong();
  private volatile Life life;

  /**
   * @param cluster name, at most 16 characters
   * @param node name, at most 16 characters
   */
  Membership(LogStore store, String cluster, String node) {
    this(store, cluster, node, new SecureRandom());
  }

  /**
   * @param random draws what tells lives and clusters of the same names apart
   */
  Membership(LogStore store, String cluster, String node, RandomGenerator random) {
    this.random = random;
    this.store = store;
    this.line = new LifeLine(store);
    this.clusterName = cluster;
    this.node = node;
    this.life = new Life(null, node + '.' + text(LIFE_LENGTH), false);
  }

  /**
   * @param cluster null until the log has told its code
   */
  private record Life(@Nullable String cluster, String incarnation, boolean registered) {}

  /**
   * A new transaction's name. Before the log has been reached it has a name that belongs to no
   * cluster: such a transaction cannot be committed with two phases.
   */
  GlobalId next() {
    Life current = life;
    String cluster = current.cluster;
    return GlobalId.of(
        cluster == null ? clusterName + "-" : cluster,
        current.incarnation,
        numbers.incrementAndGet());
  }

  /** Whether a transaction of that name can be decided now. */
  boolean mayDecide(GlobalId transaction) {
    Life current = life;
    return current.registered && transaction.incarnation().equals(current.incarnation);
  }

  /** The cluster's name and code; null until the log has told it. */
  @Nullable String cluster() {
    return life.cluster;
  }

  String clusterName() {
    return clusterName;
  }

  String incarnation() {
    return life.incarnation;
  }

  /** Whether it is a life of this node that has ended, here or in a process before this one. */
  boolean isEarlier(String incarnation) {
    return incarnation.startsWith(node + '.') && !incarnation.equals(life.incarnation);
  }

  /** Registers, or tells that this process lives. Blocks; called by one thread. */
  void beat() {
    Life current = life;
    if (current.registered && isKnown(current)) {
      return;
    }
    store.create();
    String cluster = clusterName + '-' + store.code(clusterName, text(CODE_LENGTH));
    var fresh = new Life(cluster, node + '.' + text(LIFE_LENGTH), true);
    line.begin(clusterName, fresh.incarnation);
    life = fresh;
    log.info("XA: registered as {} of {} in {}", fresh.incarnation, cluster, store.source());
  }

  /** Whether the log still has the life, and its tables. */
  private boolean isKnown(Life current) {
    try {
      boolean isKnown = line.beat(current.incarnation);
      if (!isKnown) {
        log.warn("XA: {} has been declared dead by another proxy; beginning anew", current);
      }
      return isKnown;
    } catch (ShardException.Database refused) {
      if (refused.errno() != LogStore.NO_SUCH_TABLE) {
        throw refused;
      }
      log.error(
          "XA: the log in {} is gone: {}; beginning anew with an empty one. What was prepared under"
              + " the old one is listed as foreign: operators have to end it",
          store.source(),
          refused.getMessage());
      return false;
    }
  }

  /** Whether processes hold locks of the log's server while they live. */
  boolean isLocked() {
    return line.isLocked();
  }

  /** How often the connection to the log has had to be replaced. */
  int renewals() {
    return line.renewals();
  }

  /** Ends in good order. Blocks. */
  void leave() {
    Life current = life;
    life = new Life(current.cluster, current.incarnation, false);
    if (current.registered) {
      store.unregister(current.incarnation);
    }
    line.end();
  }

  private String text(int length) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(Character.forDigit(random.nextInt(36), 36));
    }
    return text.toString().toLowerCase(Locale.ROOT);
  }
}
