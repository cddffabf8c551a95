package io.anabranch.registry.zookeeper;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.MemberQuestion;
import io.anabranch.backend.registry.RegistryException;
import io.anabranch.backend.registry.Revision;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The registry in ZooKeeper: a node for each revision, which only one can make, and one for each
 * member, which goes with the member's session, as questions and their answers do.
 */
final class ZooKeeperRegistry implements ClusterRegistry {

  /** So many revisions are kept. */
  private static final long KEPT = 100;

  /** What a server takes in one request, less some room ({@code jute.maxbuffer}). */
  private static final int MOST_BYTES = 1_000_000;

  /** A number that was not given back stays its member's for so long. */
  private static final Duration NUMBER_KEPT = Duration.ofDays(1);

  private final ClusterRepository.ZooKeeper repository;
  private final String revisions;
  private final String members;
  private final String numbers;
  private final String questions;
  private final String answers;
  private final CuratorFramework client;
  private boolean isStarted;

  /** Connects to nothing yet. */
  ZooKeeperRegistry(ClusterRepository.ZooKeeper repository) {
    this.repository = repository;
    String root = "/" + repository.namespace();
    this.revisions = root + "/revisions";
    this.members = root + "/members";
    this.numbers = root + "/numbers";
    this.questions = root + "/questions";
    this.answers = root + "/answers";
    this.client = client(repository);
  }

  private static CuratorFramework client(ClusterRepository.ZooKeeper repository) {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(repository.servers())
            .retryPolicy(
                new RetryNTimes(
                    repository.maxRetries(), Math.toIntExact(repository.pollMilliseconds())))
            .sessionTimeoutMs(
                Math.toIntExact(TimeUnit.SECONDS.toMillis(repository.timeToLiveSeconds())))
            .connectionTimeoutMs(Math.toIntExact(repository.timeoutMilliseconds()));
    String digest = repository.digest();
    if (!digest.isEmpty()) {
      builder
          .authorization("digest", digest.getBytes(StandardCharsets.UTF_8))
          .aclProvider(new OwnersOnly());
    }
    return builder.build();
  }

  /** Who has the digest may do all, others nothing. */
  private static final class OwnersOnly implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }
  }

  // ---------------------------------------------------------------- revisions

  @Override
  public long newest() throws RegistryException {
    return run(() -> revisionNumbers().stream().mapToLong(Long::longValue).max().orElse(0));
  }

  private List<Long> revisionNumbers() throws Exception {
    return children(revisions).stream().map(Long::valueOf).toList();
  }

  private List<String> children(String path) throws Exception {
    try {
      return client.getChildren().forPath(path);
    } catch (KeeperException.NoNodeException none) {
      return List.of();
    }
  }

  @Override
  public @Nullable Revision revision(long number) throws RegistryException {
    return run(() -> Optional.ofNullable(read(number))).orElse(null);
  }

  private @Nullable Revision read(long number) throws Exception {
    var stat = new Stat();
    try {
      byte[] data = client.getData().storingStatIn(stat).forPath(path(number));
      return NodeData.revision(number, Instant.ofEpochMilli(stat.getCtime()), data);
    } catch (KeeperException.NoNodeException none) {
      return null;
    }
  }

  @Override
  public List<Revision> last(int most) throws RegistryException {
    return run(
        () -> {
          var found = new ArrayList<Revision>();
          for (long number :
              revisionNumbers().stream().sorted(Comparator.reverseOrder()).limit(most).toList()) {
            Revision revision = read(number);
            if (revision != null) {
              found.add(revision);
            }
          }
          return found;
        });
  }

  @Override
  public boolean publish(Revision revision) throws RegistryException {
    byte[] data = NodeData.of(revision, UUID.randomUUID().toString());
    return run(
        () -> {
          if (data.length > MOST_BYTES) {
            throw new IOException(
                "the configuration has "
                    + data.length
                    + " bytes compressed, ZooKeeper takes a megabyte; a repository of the type"
                    + " JDBC takes more");
          }
          boolean isOurs = create(revision.number(), data);
          if (isOurs) {
            forget(revision.number() - KEPT);
          }
          return isOurs;
        });
  }

  /** What was made before its answer was lost is tried again, and is there then: it is ours. */
  private boolean create(long number, byte[] data) throws Exception {
    String path = path(number);
    try {
      client.create().creatingParentsIfNeeded().forPath(path, data);
      return true;
    } catch (KeeperException.NodeExistsException there) {
      return Arrays.equals(client.getData().forPath(path), data);
    }
  }

  private void forget(long upTo) throws Exception {
    for (long number : revisionNumbers()) {
      if (number <= upTo) {
        delete(path(number));
      }
    }
  }

  private void delete(String path) throws Exception {
    try {
      client.delete().forPath(path);
    } catch (KeeperException.NoNodeException gone) {
      // as is wanted
      return;
    }
  }

  private String path(long number) {
    return revisions + "/" + number;
  }

  // ---------------------------------------------------------------- members

  @Override
  public void present(ClusterMember member) throws RegistryException {
    String path = members + "/" + member.id();
    byte[] data = NodeData.of(member);
    run(
        () -> {
          Stat there = client.checkExists().forPath(path);
          long session = client.getZookeeperClient().getZooKeeper().getSessionId();
          if (there != null && there.getEphemeralOwner() != session) {
            // of a session before, with which it would go
            delete(path);
            there = null;
          }
          if (there == null) {
            client
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(path, data);
          } else {
            client.setData().forPath(path, data);
          }
          return true;
        });
  }

  @Override
  public void absent(String member) throws RegistryException {
    run(
        () -> {
          delete(members + "/" + member);
          for (String number : children(numbers)) {
            if (member.equals(text(numbers + "/" + number))) {
              delete(numbers + "/" + number);
            }
          }
          return true;
        });
  }

  @Override
  public List<ClusterMember> members() throws RegistryException {
    return run(
        () -> {
          var found = new ArrayList<ClusterMember>();
          for (String id : children(members)) {
            byte[] data = data(members + "/" + id);
            if (data != null) {
              found.add(NodeData.member(id, data));
            }
          }
          found.sort(
              Comparator.comparing(ClusterMember::host)
                  .thenComparingInt(ClusterMember::port)
                  .thenComparing(ClusterMember::id));
          return found;
        });
  }

  /** Null: it has just gone. */
  private byte @Nullable [] data(String path) throws Exception {
    try {
      return client.getData().forPath(path);
    } catch (KeeperException.NoNodeException gone) {
      return null;
    }
  }

  private @Nullable String text(String path) throws Exception {
    byte[] data = data(path);
    return data == null ? null : new String(data, StandardCharsets.UTF_8);
  }

  // ---------------------------------------------------------------- numbers

  @Override
  public int number(String member, int most) throws RegistryException {
    byte[] data = member.getBytes(StandardCharsets.UTF_8);
    return run(
        () -> {
          for (String number : children(numbers)) {
            if (member.equals(text(numbers + "/" + number))) {
              client.setData().forPath(numbers + "/" + number, data);
              return Integer.parseInt(number);
            }
          }
          int number = 1;
          while (number <= most && !take(numbers + "/" + number, data)) {
            number++;
          }
          return number > most ? 0 : number;
        });
  }

  /** It does not go with a session: its proxy may live on without the registry. */
  private boolean take(String path, byte[] member) throws Exception {
    Stat there = client.checkExists().forPath(path);
    try {
      if (there == null) {
        client.create().creatingParentsIfNeeded().forPath(path, member);
        return true;
      }
      Instant beat = Instant.ofEpochMilli(there.getMtime());
      if (beat.isAfter(Instant.now().minus(NUMBER_KEPT))) {
        return false;
      }
      client.setData().withVersion(there.getVersion()).forPath(path, member);
      return true;
    } catch (KeeperException.NodeExistsException
        | KeeperException.NoNodeException
        | KeeperException.BadVersionException another) {
      return false;
    }
  }

  // ---------------------------------------------------------------- questions

  @Override
  public String ask(String member, String text) throws RegistryException {
    return run(
        () ->
            client
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath(questions + "/" + member + "/q-", text.getBytes(StandardCharsets.UTF_8))
                .substring(questions.length() + 1));
  }

  @Override
  public List<MemberQuestion> questions(String member) throws RegistryException {
    return run(
        () -> {
          var found = new ArrayList<MemberQuestion>();
          for (String number : children(questions + "/" + member).stream().sorted().toList()) {
            String id = member + "/" + number;
            String text = text(questions + "/" + id);
            if (text != null) {
              found.add(new MemberQuestion(id, member, text));
            }
          }
          return found;
        });
  }

  @Override
  public void answer(MemberQuestion question, String answer) throws RegistryException {
    run(
        () -> {
          String place = questions + "/" + question.id();
          if (client.checkExists().forPath(place) != null) {
            client
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(answers + "/" + question.id(), answer.getBytes(StandardCharsets.UTF_8));
          }
          delete(place);
          return true;
        });
  }

  @Override
  public @Nullable String answered(String question) throws RegistryException {
    return run(() -> Optional.ofNullable(text(answers + "/" + question))).orElse(null);
  }

  @Override
  public void forget(String question) throws RegistryException {
    run(
        () -> {
          delete(questions + "/" + question);
          delete(answers + "/" + question);
          return true;
        });
  }

  // ---------------------------------------------------------------- the client

  private interface Work<T> {
    T get() throws Exception;
  }

  private synchronized <T> T run(Work<T> work) throws RegistryException {
    try {
      if (!isStarted) {
        client.start();
        isStarted = true;
      }
      int wait = Math.toIntExact(repository.timeoutMilliseconds());
      if (!client.blockUntilConnected(wait, TimeUnit.MILLISECONDS)) {
        throw new IOException("does not answer within " + wait + " ms");
      }
      return work.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failed(interrupted);
    } catch (Exception failure) {
      throw failed(failure);
    }
  }

  private RegistryException failed(Exception cause) {
    return new RegistryException(
        "the registry at " + repository.servers() + ": " + cause.getMessage(), cause);
  }

  /** Members' nodes go with the session. */
  @Override
  public void close() {
    client.close();
  }
}
