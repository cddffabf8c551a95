package io.anabranch.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that change are taken once, when they are as they shall be. */
class ConfigurationWatchTest {

  private static final String SHOP = "database-shop.yaml";

  @TempDir Path folder;
  private int taken;
  private boolean isBad;
  private ConfigurationWatch watch;

  @BeforeEach
  void settle() throws IOException {
    write(SHOP, "databaseName: shop\n");
    watch = new ConfigurationWatch(() -> 1, () -> FilesSeen.in(folder), this::take);
    looks(2);
    taken = 0;
  }

  private List<String> take() {
    taken++;
    if (isBad) {
      throw new ConfigurationRefusedException(List.of("bad"));
    }
    return List.of();
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  private void looks(int times) {
    for (int i = 0; i < times; i++) {
      watch.look();
    }
  }

  /** Nobody would begin again. */
  @Test
  void aLookThatFailsIsFollowedByOthers() throws InterruptedException {
    var looks = new CountDownLatch(3);
    try (var failing =
        new ConfigurationWatch(
            () -> 1,
            () -> {
              looks.countDown();
              if (looks.getCount() == 1) {
                throw new StackOverflowError();
              }
              throw new IllegalStateException("the folder is not there");
            },
            this::take)) {
      failing.start();
      assertThat(looks.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aChangeIsTakenWhenItStays() throws IOException {
    looks(3);
    assertThat(taken).isZero();
    write(SHOP, "databaseName: sh");
    looks(1);
    write(SHOP, "databaseName: shop2\n");
    looks(1);
    assertThat(taken).isZero();
    looks(1);
    assertThat(taken).isOne();
    looks(3);
    assertThat(taken).isOne();
  }

  @Test
  void aChangeThatIsTakenBackIsNone() throws IOException {
    write(SHOP, "databaseName: shop2\n");
    looks(1);
    write(SHOP, "databaseName: shop\n");
    looks(3);
    assertThat(taken).isZero();
  }

  @Test
  void whatIsRefusedIsTriedOnceForEachOfItsVersions() throws IOException {
    isBad = true;
    write(SHOP, "databaseName: [\n");
    looks(5);
    assertThat(taken).isOne();
    write(SHOP, "databaseName: {\n");
    looks(5);
    assertThat(taken).isEqualTo(2);
  }

  @Test
  void filesThatComeAndGoAreChanges() throws IOException {
    write("database-more.yaml", "databaseName: more\n");
    looks(2);
    assertThat(taken).isOne();
    Files.delete(folder.resolve("database-more.yaml"));
    looks(2);
    assertThat(taken).isEqualTo(2);
    write("notes.txt", "of nobody's interest");
    looks(3);
    assertThat(taken).isEqualTo(2);
  }

  @Test
  void filesBehindReferencesAreLookedAt() throws IOException {
    write(SHOP, "password: ${file:secrets/one}\nother: ${file:missing}\n");
    looks(2);
    Files.createDirectory(folder.resolve("secrets"));
    write("secrets/one", "first");
    looks(2);
    assertThat(taken).isEqualTo(2);
    write("secrets/one", "second");
    looks(2);
    assertThat(taken).isEqualTo(3);
  }

  /** As containers put files in place. */
  @Test
  void aLinkThatLeadsElsewhereIsAChange() throws IOException {
    Files.createDirectory(folder.resolve("a"));
    Files.createDirectory(folder.resolve("b"));
    write("a/" + SHOP, "databaseName: shop\n");
    write("b/" + SHOP, "databaseName: shop2\n");
    Files.delete(folder.resolve(SHOP));
    Files.createSymbolicLink(folder.resolve(SHOP), Path.of("a", SHOP));
    looks(3);
    assertThat(taken).isZero();
    Files.delete(folder.resolve(SHOP));
    Files.createSymbolicLink(folder.resolve(SHOP), Path.of("b", SHOP));
    looks(2);
    assertThat(taken).isOne();
  }

  @Test
  void aFolderThatIsGoneIsAChange() throws IOException {
    Files.delete(folder.resolve(SHOP));
    Files.delete(folder);
    looks(4);
    assertThat(taken).isOne();
    Files.createDirectory(folder);
    write(SHOP, "databaseName: shop\n");
    looks(2);
    assertThat(taken).isEqualTo(2);
  }
}
