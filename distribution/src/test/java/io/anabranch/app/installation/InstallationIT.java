package io.anabranch.app.installation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.testkit.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An installation is upgraded in its place, and tells its supervisor when it is ready. */
@EnabledOnOs(OS.LINUX)
class InstallationIT {

  @TempDir Path temporary;
  private Path tarball;
  private Path home;

  private record Outcome(int exitCode, String text) {}

  @BeforeEach
  void install() throws Exception {
    tarball = find(Path.of("target"), "anabranch-.*\\.tar\\.gz");
    home = unpacked("installed");
    Files.writeString(
        home.resolve("conf/global.yaml"),
        "authority: { users: [ { user: app, password: s3cret } ] }\nprops: { proxy-admin-port: 0 }\n");
  }

  private static Path find(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(name))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath();
    }
  }

  private Path unpacked(String name) throws Exception {
    Path place = Files.createDirectory(temporary.resolve(name));
    run(
        Map.of(),
        "tar",
        "-xzf",
        tarball.toString(),
        "-C",
        place.toString(),
        "--strip-components=1");
    return place;
  }

  private Outcome run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), text);
  }

  private Outcome script(String name, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(home.resolve("bin").resolve(name).toString()));
    command.addAll(List.of(arguments));
    return run(Map.of(), command.toArray(String[]::new));
  }

  @Test
  void anUpgradeKeepsWhatIsTheOperators() throws Exception {
    Files.writeString(home.resolve("conf/jvm.options"), "-Xmx300m\n");
    Files.writeString(home.resolve("ext-lib/plug-in.txt"), "mine");
    Files.writeString(home.resolve("logs/anabranch.log"), "old lines");
    Files.writeString(home.resolve("docs/of-the-old-version.md"), "old");
    Path other = unpacked("other");
    Files.writeString(other.resolve("docs/of-the-new-version.md"), "new");
    Files.writeString(other.resolve("conf/jvm.options"), "-Xmx9g\n");

    Outcome upgraded = script("upgrade.sh", other.toString());
    assertThat(upgraded.exitCode).as(upgraded.text).isZero();
    assertThat(home.resolve("conf/jvm.options")).hasContent("-Xmx300m");
    assertThat(home.resolve("ext-lib/plug-in.txt")).hasContent("mine");
    assertThat(home.resolve("logs/anabranch.log")).hasContent("old lines");
    assertThat(home.resolve("docs/of-the-new-version.md")).exists();
    assertThat(home.resolve("docs/of-the-old-version.md")).doesNotExist();
    assertThat(other.resolve("bin/start.sh")).exists();
    assertThat(home.resolve(".upgrade")).doesNotExist();
    int port = FreePorts.one();
    Outcome started = script("start.sh", "-p", Integer.toString(port));
    assertThat(started.exitCode).as(started.text).isZero();
    Outcome refused = script("upgrade.sh", "--back");
    assertThat(refused.exitCode).isEqualTo(1);
    assertThat(refused.text).contains("it runs");
    assertThat(script("stop.sh").exitCode).isZero();

    Outcome back = script("upgrade.sh", "--back");
    assertThat(back.exitCode).as(back.text).isZero();
    assertThat(home.resolve("docs/of-the-old-version.md")).exists();
    assertThat(home.resolve("conf/jvm.options")).hasContent("-Xmx300m");
    assertThat(home.resolve("previous/docs/of-the-new-version.md")).exists();
  }

  @Test
  void anUpgradeThatDoesNotTakeTheConfigurationChangesNothing() throws Exception {
    Files.writeString(home.resolve("docs/of-the-old-version.md"), "old");
    Files.writeString(home.resolve("conf/global.yaml"), "authority: { users: [] }\nwhat: 1\n");
    Outcome refused = script("upgrade.sh", tarball.toString());
    assertThat(refused.exitCode).as(refused.text).isEqualTo(78);
    assertThat(refused.text).contains("global.yaml:2", "nothing has changed");
    assertThat(home.resolve("docs/of-the-old-version.md")).exists();
    assertThat(home.resolve("previous")).doesNotExist();
    assertThat(home.resolve(".upgrade")).doesNotExist();
    for (List<String> wrong :
        List.of(List.<String>of(), List.of("/nowhere"), List.of("--back", "x"), List.of("-x"))) {
      assertThat(script("upgrade.sh", wrong.toArray(String[]::new)).exitCode).isEqualTo(2);
    }
    assertThat(script("upgrade.sh", "--back").exitCode).isEqualTo(1);
    assertThat(script("upgrade.sh", home.resolve("conf").toString()).text)
        .contains("is no Anabranch");
  }

  /** A {@code mv} that does what is told when something is moved to or from a place. */
  private Map<String, String> movingFailsAt(String place, String deed) throws IOException {
    Path programs = Files.createDirectories(temporary.resolve("failing programs"));
    Path program = programs.resolve("mv");
    Files.writeString(
        program,
        "#!/bin/sh\ncase \"$*\" in *'" + place + "'*) " + deed + " ;; esac\nexec /bin/mv \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return Map.of("PATH", programs + ":" + System.getenv("PATH"));
  }

  private Set<String> entries() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files.map(file -> home.relativize(file).toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void anUpgradeThatFailsOrIsCutOffIsUndone() throws Exception {
    Files.writeString(home.resolve("docs/of-the-old-version.md"), "old");
    Path other = unpacked("other");
    Files.writeString(other.resolve("docs/of-the-new-version.md"), "new");
    Files.writeString(other.resolve("a-new-entry"), "new");
    Set<String> before = entries();
    String upgrade = home.resolve("bin/upgrade.sh").toString();

    for (String place : List.of("installed/lib ", "unpacked/lib ", "unpacked/systemd ")) {
      Outcome failed = run(movingFailsAt(place, "exit 1"), upgrade, other.toString());
      assertThat(failed.exitCode).as(failed.text).isEqualTo(1);
      assertThat(failed.text).contains("cannot move", "nothing has changed");
      assertThat(entries()).as(place).isEqualTo(before);

      Outcome killed = run(movingFailsAt(place, "kill -9 $PPID"), upgrade, other.toString());
      assertThat(killed.exitCode).as(killed.text).isEqualTo(137);
      assertThat(home.resolve(".upgrade/former")).isNotEmptyDirectory();
      Outcome refused = script("upgrade.sh", home.resolve("conf").toString());
      assertThat(refused.text).contains("cut off has been undone", "is no Anabranch");
      assertThat(entries()).as(place).isEqualTo(before);
    }
  }

  @Test
  void aProxyWithAnotherLogDirectoryIsNotUpgradedUnderway() throws Exception {
    Map<String, String> elsewhere =
        Map.of("ANABRANCH_LOG_DIR", temporary.resolve("elsewhere").toString());
    String port = Integer.toString(FreePorts.one());
    Outcome started = run(elsewhere, home.resolve("bin/start.sh").toString(), "-p", port);
    assertThat(started.exitCode).as(started.text).isZero();
    Outcome refused = script("upgrade.sh", tarball.toString());
    assertThat(run(elsewhere, home.resolve("bin/stop.sh").toString()).exitCode).isZero();
    assertThat(refused.exitCode).isEqualTo(1);
    assertThat(refused.text).contains("it runs (pid ");
  }

  @Test
  void systemdIsToldWhenItIsReadyAndThatItLives() throws Exception {
    Path told = temporary.resolve("told");
    Path programs = Files.createDirectory(temporary.resolve("programs"));
    Path program = programs.resolve("systemd-notify");
    Files.writeString(program, "#!/bin/sh\necho \"$*\" >>'" + told + "'\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    int port = FreePorts.one();
    var builder =
        new ProcessBuilder(
            home.resolve("bin/start.sh").toString(), "--foreground", "-p", Integer.toString(port));
    builder.redirectErrorStream(true).redirectOutput(temporary.resolve("output").toFile());
    builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
    builder.environment().put("NOTIFY_SOCKET", temporary.resolve("socket").toString());
    builder.environment().put("WATCHDOG_USEC", "2000000");
    Process proxy = builder.start();
    try {
      String first = "--pid=" + proxy.pid() + " --ready --status=listens on 127.0.0.1 port " + port;
      String again = "--pid=" + proxy.pid() + " WATCHDOG=1";
      Eventually.holds("systemd is told", () -> lines(told).containsAll(List.of(first, again)));
      assertThat(lines(told).getFirst()).isEqualTo(first);
    } finally {
      proxy.destroy();
      assertThat(proxy.waitFor()).isEqualTo(143);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theUnitNamesWhatIsThere() throws IOException {
    String unit = Files.readString(home.resolve("systemd/anabranch.service"));
    assertThat(unit).contains("Type=notify", "NotifyAccess=all", "LimitNOFILE=");
    for (String named :
        unit.lines()
            .filter(line -> line.startsWith("ExecStart=") || line.startsWith("Documentation="))
            .map(line -> line.replaceFirst("^[^=]*=(file://)?/opt/anabranch/(\\S+).*", "$2"))
            .toList()) {
      assertThat(home.resolve(named)).exists();
    }
  }
}
