package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which data sources can take part in two-phase commits: they must speak XA, and let the proxy's
 * account see prepared branches, or nobody could end what a proxy left there. Each is tried when it
 * is first reached, and again until it can. Thread-safe.
 */
final class Fitness {

  private static final Logger log = LoggerFactory.getLogger(Fitness.class);

  /** XAER_RMERR: what MySQL answers to XA RECOVER without the right to it. */
  private static final int FATAL_IN_BRANCH = 1401;

  private static final int ACCESS_DENIED = 1227;

  private final Set<String> fit = ConcurrentHashMap.newKeySet();
  private final Map<String, String> unfit = new ConcurrentHashMap<>();

  /**
   * Tries a data source that has not been tried with success before. Blocks.
   *
   * @param process names the branch that is tried, which is never prepared
   * @throws ShardException if it cannot take part, or broke meanwhile
   */
  void tryOut(XaSource source, Links.Link link, String process) {
    String name = source.database() + '.' + link.dataSource();
    if (fit.contains(name)) {
      return;
    }
    try {
      start(link, new Xid("try." + process, "1"));
      link.rows("XA RECOVER");
    } catch (ShardException.Database refused) {
      String why = String.valueOf(refused.getMessage()) + advice(refused.errno());
      if (!why.equals(unfit.put(name, why))) {
        log.error(
            "XA: '{}' cannot take part in transactions over several data sources, which are rolled"
                + " back: {}",
            name,
            why);
      }
      throw refused;
    }
    fit.add(name);
    if (unfit.remove(name) != null) {
      log.info("XA: '{}' can take part now", name);
    }
  }

  private static void start(Links.Link link, Xid xid) {
    link.update("XA START " + xid.sql());
    try {
      link.update("XA END " + xid.sql());
      link.update("XA ROLLBACK " + xid.sql());
    } catch (ShardException.Database refused) {
      throw new ShardException.Lost("a branch could not be ended: " + refused.getMessage(), true);
    }
  }

  private static String advice(int errno) {
    return errno == FATAL_IN_BRANCH || errno == ACCESS_DENIED
        ? "; GRANT XA_RECOVER_ADMIN ON *.* to its account"
        : "";
  }

  /** Why one of the branches must not be prepared; null: all may. */
  @Nullable RefusedException objection(Collection<Branch> branches) {
    if (unfit.isEmpty()) {
      return null;
    }
    for (Branch branch : branches) {
      String name = branch.lease().logicalDatabase() + '.' + branch.dataSource();
      String why = unfit.get(name);
      if (why != null) {
        return ErrorCatalogue.XA_UNFIT.refuse(name, why);
      }
    }
    return null;
  }

  /** Those that cannot take part, with the reason. */
  Map<String, String> unfit() {
    return Map.copyOf(unfit);
  }
}
