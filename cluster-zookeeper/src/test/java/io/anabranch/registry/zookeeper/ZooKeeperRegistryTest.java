package io.anabranch.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.MemberQuestion;
import io.anabranch.backend.registry.RegistryException;
import io.anabranch.backend.registry.RegistryProvider;
import io.anabranch.backend.registry.Revision;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over a real ZooKeeper server in this process. */
class ZooKeeperRegistryTest {

  private static final long WAIT_NANOS = Duration.ofSeconds(60).toNanos();

  private TestingServer server;
  private final List<ClusterRegistry> open = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    server = new TestingServer();
  }

  @AfterEach
  void stop() throws IOException {
    open.forEach(ClusterRegistry::close);
    server.close();
  }

  private ClusterRegistry registry(String namespace, String digest) {
    var repository =
        new ClusterRepository.ZooKeeper(
            namespace, "127.0.0.1:" + server.getPort(), digest, 1, 100, 20_000, 4);
    ClusterRegistry made =
        ServiceLoader.load(RegistryProvider.class).findFirst().orElseThrow().open(repository);
    open.add(made);
    return made;
  }

  private ClusterRegistry registry() {
    return registry("shop", "");
  }

  private static Revision revision(long number, String author) {
    return new Revision(
        number,
        Instant.EPOCH,
        author,
        "member-" + author,
        List.of("a line", "grün"),
        List.of(
            new ConfigurationText("global.yaml", "props: {}\n"),
            new ConfigurationText("database-shop.yaml", "databaseName: shöp\n")));
  }

  @Test
  void oneRevisionOfEachNumberIsThere() throws RegistryException {
    ClusterRegistry a = registry();
    ClusterRegistry b = registry();
    assertThat(a.newest()).isZero();
    assertThat(a.last(5)).isEmpty();
    assertThat(a.revision(1)).isNull();
    assertThat(a.publish(revision(1, "a"))).isTrue();
    assertThat(b.publish(revision(1, "b"))).isFalse();
    assertThat(b.publish(revision(2, "b"))).isTrue();
    assertThat(a.newest()).isEqualTo(2);
    Revision first = Objects.requireNonNull(b.revision(1));
    assertThat(first.published()).isAfter(Instant.EPOCH);
    assertThat(
            new Revision(
                1, Instant.EPOCH, first.author(), first.member(), first.changes(), first.texts()))
        .isEqualTo(revision(1, "a"));
    assertThat(a.last(5)).extracting(Revision::author).containsExactly("b", "a");
    assertThat(a.last(1)).extracting(Revision::author).containsExactly("b");
    assertThat(registry("other", "").newest()).isZero();
  }

  @Test
  void ofManyAtATimeOneWins() throws Exception {
    ClusterRegistry a = registry();
    a.publish(revision(1, "start"));
    var tries = new ArrayList<Callable<Boolean>>();
    for (int i = 0; i < 8; i++) {
      ClusterRegistry each = registry();
      String author = "author-" + i;
      tries.add(() -> each.publish(revision(2, author)));
    }
    int won = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> each : threads.invokeAll(tries)) {
        won += each.get() ? 1 : 0;
      }
    }
    assertThat(won).isEqualTo(1);
  }

  @Test
  void theLastHundredAreKept() throws RegistryException {
    ClusterRegistry a = registry();
    for (int number = 1; number <= 105; number++) {
      assertThat(a.publish(revision(number, "a"))).isTrue();
    }
    assertThat(a.newest()).isEqualTo(105);
    assertThat(a.revision(5)).isNull();
    assertThat(a.revision(6)).isNotNull();
    assertThat(a.last(1000)).hasSize(100);
  }

  @Test
  void whatAServerWouldNotTakeIsSaid() throws RegistryException {
    ClusterRegistry a = registry();
    var random = new Random(7);
    var text = new StringBuilder();
    random.ints(2_000_000, ' ', 0x7f).forEach(c -> text.append((char) c));
    var large =
        new Revision(
            1,
            Instant.EPOCH,
            "a",
            "m",
            List.of(),
            List.of(new ConfigurationText("global.yaml", text.toString())));
    assertThatThrownBy(() -> a.publish(large))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("ZooKeeper takes a megabyte");
    assertThat(a.newest()).isZero();
  }

  private static ClusterMember member(String id, int port, ClusterMember.State state) {
    return new ClusterMember(id, "10.0.0.1", port, "1.0", 3, state);
  }

  @Test
  void membersGoWithTheirSessions() throws Exception {
    ClusterRegistry a = registry();
    ClusterRegistry b = registry();
    a.present(member("a", 3308, ClusterMember.State.OK));
    b.present(member("b", 3307, ClusterMember.State.OK));
    b.present(member("b", 3307, ClusterMember.State.REFUSED));
    assertThat(a.members())
        .containsExactly(
            member("b", 3307, ClusterMember.State.REFUSED),
            member("a", 3308, ClusterMember.State.OK));
    b.close();
    assertThat(a.members()).extracting(ClusterMember::id).containsExactly("a");
    a.absent("a");
    a.absent("a");
    assertThat(a.members()).isEmpty();
  }

  @Test
  void numbersAreEachMembersOwn() throws RegistryException {
    ClusterRegistry a = registry();
    ClusterRegistry b = registry();
    assertThat(a.number("a", 2)).isEqualTo(1);
    assertThat(b.number("b", 2)).isEqualTo(2);
    assertThat(a.number("a", 2)).isEqualTo(1);
    assertThat(registry().number("c", 2)).as("all are taken").isZero();
    a.close();
    assertThat(b.number("c", 2)).as("a may still have sessions").isZero();
    b.absent("a");
    assertThat(b.number("c", 2)).isEqualTo(1);
    assertThat(b.number("b", 2)).isEqualTo(2);
  }

  @Test
  void questionsAreAnsweredOnce() throws RegistryException {
    ClusterRegistry a = registry();
    ClusterRegistry b = registry();
    assertThat(b.questions("b")).isEmpty();
    String first = a.ask("b", "first");
    String second = a.ask("b", "second");
    assertThat(b.questions("a")).isEmpty();
    List<MemberQuestion> asked = b.questions("b");
    assertThat(asked).extracting(MemberQuestion::text).containsExactly("first", "second");
    assertThat(a.answered(first)).isNull();
    b.answer(asked.getFirst(), "größer");
    assertThat(a.answered(first)).isEqualTo("größer");
    assertThat(b.questions("b")).extracting(MemberQuestion::text).containsExactly("second");
    a.forget(first);
    assertThat(a.answered(first)).isNull();
    a.forget(second);
    b.answer(asked.getLast(), "to nobody");
    assertThat(a.answered(second)).isNull();
    a.ask("b", "third");
    a.close();
    assertThat(b.questions("b")).as("nobody waits").isEmpty();
  }

  @Test
  void aServerThatIsGoneIsSaidAndComesBack() throws Exception {
    ClusterRegistry a = registry();
    a.publish(revision(1, "a"));
    a.present(member("a", 3307, ClusterMember.State.OK));
    server.stop();
    var gone =
        new ClusterRepository.ZooKeeper(
            "shop", "127.0.0.1:" + server.getPort(), "hidden:hidden", 0, 100, 300, 4);
    ClusterRegistry b = new ZooKeeperRegistry(gone);
    open.add(b);
    assertThatThrownBy(b::newest)
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("the registry at 127.0.0.1:" + server.getPort())
        .message()
        .doesNotContain("hidden");
    server.restart();
    long start = System.nanoTime();
    while (!isBack(a)) {
      assertThat(System.nanoTime() - start).isLessThan(WAIT_NANOS);
      Thread.sleep(50);
    }
    assertThat(a.newest()).isEqualTo(1);
    assertThat(a.members()).extracting(ClusterMember::id).containsExactly("a");
  }

  private static boolean isBack(ClusterRegistry registry) {
    try {
      registry.present(member("a", 3307, ClusterMember.State.OK));
      return true;
    } catch (RegistryException notYet) {
      return false;
    }
  }

  @Test
  void whoHasNotTheDigestSeesNothing() throws RegistryException {
    ClusterRegistry owner = registry("shop", "user:secret");
    owner.publish(revision(1, "a"));
    assertThat(registry("shop", "user:secret").newest()).isEqualTo(1);
    for (String digest : List.of("", "user:wrong")) {
      ClusterRegistry other = registry("shop", digest);
      assertThatThrownBy(() -> other.revision(1))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("NoAuth");
      assertThatThrownBy(() -> other.publish(revision(2, "b")))
          .isInstanceOf(RegistryException.class);
    }
  }
}
