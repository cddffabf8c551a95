package io.anabranch.frontend.session;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.answer.KeptAnswers;
import io.anabranch.frontend.cluster.ClusterPeers;
import io.anabranch.frontend.limit.LimitParts;
import io.anabranch.frontend.limit.Limits;
import io.anabranch.frontend.mirror.Mirrors;
import io.anabranch.frontend.notice.RefusalLog;
import io.anabranch.frontend.rule.RuleCounts;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.protection.Protection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sessions of this proxy by connection id. Thread-safe. */
public final class SessionRegistry {

  /** Bits of an id that tell sessions of one proxy of a cluster apart. */
  private static final int OWN_BITS = 21;

  /** The highest number of a proxy in a cluster: what is left of 31 bits. */
  public static final int MOST_PROXIES = (1 << (Integer.SIZE - 1 - OWN_BITS)) - 1;

  private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
  private final Map<String, Integer> connections = new ConcurrentHashMap<>();
  private final long started = System.nanoTime();
  private final AtomicInteger lastId = new AtomicInteger();
  private final RefusalLog refusals = new RefusalLog(System::nanoTime);
  private final LimitParts limitParts;
  private final Limits limits;
  private final RuleCounts rules;
  private final Mirrors mirrors;
  private final KeptAnswers answers;
  private volatile int proxy;
  private volatile ClusterPeers peers = ClusterPeers.NONE;

  /** Without limits of their own. */
  public SessionRegistry() {
    this(() -> Protection.NONE, MemoryBudget.unconfigured());
  }

  /**
   * @param protection that of the configuration in force; the same lists as long as it is
   * @param memory what clients may make the proxy keep
   */
  public SessionRegistry(Supplier<Protection> protection, MemoryBudget memory) {
    this.limitParts = new LimitParts(() -> protection.get().limits());
    this.limits = new Limits(limitParts, System::nanoTime);
    this.rules = new RuleCounts(() -> protection.get().rules(), System::nanoTime);
    this.mirrors = new Mirrors(memory.spare());
    this.answers = new KeptAnswers(memory.spare(), System::nanoTime);
  }

  /** Answers that more than one session gets, as query rules say. */
  public KeptAnswers answers() {
    return answers;
  }

  /** What goes to a second data source, as query rules say. */
  public Mirrors mirrors() {
    return mirrors;
  }

  /** How often statements have met rules. */
  public RuleCounts rules() {
    return rules;
  }

  /** Limits of what users and databases may take. */
  public Limits limits() {
    return limits;
  }

  /** Where refused clients and statements of all sessions are told of. */
  public RefusalLog refusals() {
    return refusals;
  }

  /** The other proxies of the cluster. */
  public ClusterPeers peers() {
    return peers;
  }

  public void peers(ClusterPeers others) {
    peers = others;
  }

  /**
   * Ids of connections that come are those of no other proxy, and limits of the cluster are shared
   * with the others.
   *
   * @param number of this proxy in its cluster, up to {@link #MOST_PROXIES}; 0: it has none
   * @param members how many there are
   */
  public void among(int number, int members) {
    proxy = number;
    limitParts.proxies(members);
  }

  /**
   * The next connection id; not used twice while a session has it. Of a proxy by itself ids start
   * at 1, in a cluster behind its number.
   */
  public int nextId() {
    int number = proxy;
    int most = number == 0 ? Integer.MAX_VALUE : (1 << OWN_BITS) - 1;
    int id;
    do {
      int own = lastId.updateAndGet(last -> last >= most ? 1 : last + 1);
      id = number << OWN_BITS | own;
    } while (sessions.containsKey(id));
    return id;
  }

  /**
   * One more connection of an account, which {@link #forget} takes back, and {@link #leave} once
   * limits have let it in.
   *
   * @return how many it has, this one among them
   */
  public int enter(Authority.User account) {
    return connections.merge(account.toString(), 1, Integer::sum);
  }

  /** One connection less of an account that all limits had let in. */
  public void leave(Authority.User account) {
    limits.leave(account.name());
    forget(account);
  }

  /** One connection less of an account that was refused. */
  public void forget(Authority.User account) {
    connections.computeIfPresent(account.toString(), (_, count) -> count > 1 ? count - 1 : null);
  }

  public void add(Session session) {
    sessions.put(session.id(), session);
  }

  public void remove(Session session) {
    sessions.remove(session.id(), session);
  }

  public @Nullable Session find(long id) {
    return id > 0 && id <= Integer.MAX_VALUE ? sessions.get((int) id) : null;
  }

  /** A copy. */
  public Collection<Session> all() {
    return List.copyOf(sessions.values());
  }

  /** How long there has been a registry: the proxy's own age. */
  public long uptimeSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
  }

  public int size() {
    return sessions.size();
  }
}
