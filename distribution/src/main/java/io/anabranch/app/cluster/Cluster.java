package io.anabranch.app.cluster;

import io.anabranch.app.live.LiveConfiguration;
import io.anabranch.app.live.Revisions;
import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.RegistryException;
import io.anabranch.backend.registry.Revision;
import io.anabranch.frontend.cluster.ClusterPeers;
import io.anabranch.frontend.cluster.Message;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This proxy's membership in its cluster. It {@link #join}s before anything is built, since what is
 * built depends on what the cluster has agreed on; then it {@link #follow}s. {@link #close} takes
 * it off the list of members. Thread-safe.
 */
public final class Cluster implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Cluster.class);
  private static final int REMEMBERED = 20;

  private final String id = UUID.randomUUID().toString();
  private final ClusterRepository repository;
  private final ClusterRegistry registry;
  private final LastGood lastGood;
  private final Path directory;
  private final String version;

  private final PeerLink peers;

  private long number;
  private int sessionNumber;
  private @Nullable SharedRevisions revisions;
  private @Nullable ClusterFollower follower;
  private @Nullable Thread thread;

  /**
   * Connects to nothing yet.
   *
   * @param directory of the configuration
   * @param spare another folder to keep things in, should that one be read-only; null: there is
   *     none
   * @param version of the proxy
   * @throws IllegalArgumentException for a repository whose URL is none, or that nobody brings
   */
  public Cluster(
      ClusterRepository repository, Path directory, @Nullable Path spare, String version) {
    this.repository = repository;
    this.registry = Registries.of(repository);
    this.peers = new PeerLink(registry, id);
    this.lastGood =
        new LastGood(
            Stream.of(directory, spare).filter(Objects::nonNull).toList(), repository.namespace());
    this.directory = directory;
    this.version = version;
  }

  /**
   * What this proxy starts with: what the cluster has agreed on, or its own files if it is the
   * first one, or what it has last worked with if the registry does not answer. Blocks.
   *
   * @param own what its files say
   * @throws ConfigurationException if what the cluster has agreed on is not in order here
   * @throws JoinException if the registry does not answer and nothing is kept
   */
  public Configuration join(Configuration own, ConfigurationLoader loader) throws JoinException {
    Revision first;
    List<Revision> known;
    try {
      first = agreed(own);
      known = registry.last(REMEMBERED);
      sessionNumber = registry.number(id, SessionRegistry.MOST_PROXIES);
      log.info(
          "cluster {}: starts with revision {} by {}",
          repository.namespace(),
          first.number(),
          first.author());
    } catch (RegistryException failure) {
      first = kept(failure);
      known = List.of(first);
      log.warn(
          "cluster {}: {}; this proxy starts with revision {}, the last that it has worked with",
          repository.namespace(),
          failure.getMessage(),
          first.number());
    }
    Configuration shared = loader.load(first.texts(), directory);
    number = first.number();
    lastGood.keep(first);
    revisions = new SharedRevisions(registry, id, lastGood, known);
    return LiveConfiguration.started(own, shared);
  }

  private Revision agreed(Configuration own) throws RegistryException, JoinException {
    Revision last = lastKept();
    while (true) {
      long newest = registry.newest();
      if (last != null && last.number() > newest && isLost(last, newest, own)) {
        if (registry.publish(last)) {
          log.warn(
              "cluster: the registry had lost what came after revision {}; this proxy has put back"
                  + " revision {}, the last that it has worked with",
              newest,
              last.number());
        }
        continue;
      }
      if (newest == 0) {
        var first = new Revision(1, Instant.now(), "start", id, List.of(), own.texts());
        if (registry.publish(first)) {
          return first;
        }
        continue;
      }
      Revision found = registry.revision(newest);
      if (found != null) {
        return found;
      }
    }
  }

  /** A copy that cannot be read takes nothing from what the registry says. */
  private @Nullable Revision lastKept() {
    try {
      return lastGood.read();
    } catch (IOException unreadable) {
      log.warn("cluster: the copy on this disk cannot be read: {}", unreadable.toString());
      return null;
    }
  }

  /**
   * Whether a registry that knows less than this disk has lost something (its database was restored
   * from a backup, or failed over to one that lagged) and was not begun anew since.
   *
   * @throws JoinException if it is empty, which tells neither
   */
  private boolean isLost(Revision last, long newest, Configuration own)
      throws RegistryException, JoinException {
    if (newest > 0) {
      Revision there = registry.revision(newest);
      return there != null && there.published().isBefore(last.published());
    }
    if (last.hasTexts(own.texts())) {
      return false;
    }
    throw new JoinException(
        """
        the registry has nothing of namespace '%s', but this proxy has worked with its revision %d, \
        which is not what its own files say: to go on with that one, put the files of %s in their \
        place; to begin anew with its own files, remove that folder"""
            .formatted(repository.namespace(), last.number(), lastGood.folder(last)));
  }

  private Revision kept(RegistryException failure) throws JoinException {
    try {
      Revision kept = lastGood.read();
      if (kept != null) {
        return kept;
      }
    } catch (IOException unreadable) {
      throw new JoinException(
          failure.getMessage() + ", and the copy on this disk cannot be read: " + unreadable,
          failure);
    }
    throw new JoinException(
        failure.getMessage()
            + ", and this proxy has never worked in the cluster: its own files may be older than"
            + " what the others work with",
        failure);
  }

  /** The number of what this proxy has started with. */
  public long number() {
    return number;
  }

  /** The other proxies. */
  public ClusterPeers peers() {
    return peers;
  }

  /** What ids of connections begin with that come before this proxy {@link #follow}s. */
  public int sessionNumber() {
    return sessionNumber;
  }

  /** Numbers changes here; behind {@link #join}. */
  public Revisions revisions() {
    return joined(revisions);
  }

  /**
   * Takes over from now on what the others agree on.
   *
   * @param address where clients connect, as far as it is known
   * @param sessions whose ids are to be this proxy's alone
   * @param answers what this proxy says when others ask
   */
  public synchronized void follow(
      LiveConfiguration live,
      Supplier<InetSocketAddress> address,
      SessionRegistry sessions,
      UnaryOperator<Message> answers) {
    var self =
        new ClusterFollower.Self() {
          @Override
          public ClusterMember at(long revision, ClusterMember.State state) {
            return member(address.get(), revision, state);
          }

          @Override
          public void beat() throws RegistryException {
            sessions.among(
                registry.number(id, SessionRegistry.MOST_PROXIES), registry.members().size());
          }

          @Override
          public void answer() throws RegistryException {
            peers.answer(answers);
          }
        };
    var following =
        new ClusterFollower(
            registry,
            joined(revisions),
            live,
            self,
            TimeUnit.SECONDS.toNanos(repository.timeToLiveSeconds()),
            System::nanoTime);
    follower = following;
    thread = Thread.ofPlatform().daemon().name("cluster").start(() -> lookAgainAndAgain(following));
  }

  private ClusterMember member(
      InetSocketAddress address, long revision, ClusterMember.State state) {
    return new ClusterMember(
        id, address.getAddress().getHostAddress(), address.getPort(), version, revision, state);
  }

  private void lookAgainAndAgain(ClusterFollower following) {
    try {
      while (true) {
        try {
          following.look();
        } catch (RuntimeException failed) {
          log.error("cluster: the look for something new has failed", failed);
        }
        Thread.sleep(repository.pollMilliseconds());
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** This proxy among the members. */
  public String id() {
    return id;
  }

  /** What tells this cluster from others of the same registry. */
  public String namespace() {
    return repository.namespace();
  }

  /** Whether the registry has answered the last time. */
  public synchronized boolean isReachable() {
    return follower == null || follower.isReachable();
  }

  /** Whether this proxy works with the newest revision that it knows of. */
  public synchronized boolean isUpToDate() {
    return follower == null || follower.state() == ClusterMember.State.OK;
  }

  private static SharedRevisions joined(@Nullable SharedRevisions revisions) {
    if (revisions == null) {
      throw new IllegalStateException("has not joined");
    }
    return revisions;
  }

  /**
   * Follows no more, and says goodbye to the others. Blocks as long as the registry may take to
   * answer.
   */
  public void leave() {
    Thread following;
    synchronized (this) {
      following = thread;
      thread = null;
    }
    if (following == null) {
      return;
    }
    following.interrupt();
    try {
      following.join(repository.timeoutMilliseconds());
      if (isReachable()) {
        registry.absent(id);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RegistryException failure) {
      log.debug("cluster: the others will miss this proxy after a while", failure);
    }
  }

  /** Leaves, and closes the connection. */
  @Override
  public void close() {
    leave();
    registry.close();
  }
}
