package io.anabranch.app.installation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/tune.sh} on machines that are folders. */
@EnabledOnOs(OS.LINUX)
class TuneTest {

  private static final Path SCRIPT = Path.of("src", "bin", "tune.sh").toAbsolutePath();

  @TempDir Path temporary;
  private Path machine;
  private Path conf;

  private record Outcome(int exitCode, String text) {}

  @BeforeEach
  void prepare() throws IOException {
    machine = temporary.resolve("machine");
    conf = Files.createDirectory(temporary.resolve("conf of tests"));
    write("proc/cpuinfo", "processor\t: 0\nprocessor\t: 1\nprocessor\t: 2\nprocessor\t: 3\n");
    write("proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB\n");
    write("proc/self/cgroup", "0::/\n");
    write("proc/self/limits", limits("524288"));
    write("proc/sys/net/core/somaxconn", "4096\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    Files.writeString(conf.resolve("global.yaml"), "props: {}\n");
    Files.writeString(
        conf.resolve("jvm.options"),
        """
        # of ours
        -Xms512m
        -Xmx512m
        -XX:MaxDirectMemorySize=512m
        -XX:+UseG1GC
        # stays
        -Dmine=1
        -XX:MaxGCPauseMillis=20
        """);
  }

  private static String limits(String descriptors) {
    return "Limit                     Soft Limit           Hard Limit           Units\n"
        + "Max open files            256                  "
        + descriptors
        + "                 files\n";
  }

  private void write(String name, String content) throws IOException {
    Path file = machine.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private Outcome tune(String... arguments) throws IOException, InterruptedException {
    return tune(Map.of(), arguments);
  }

  private Outcome tune(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return tune(SCRIPT, environment, arguments);
  }

  private Outcome tune(Path script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("bash", script.toString(), "-c", conf.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ANABRANCH_MACHINE_ROOT", machine.toString());
    builder.environment().remove("ANABRANCH_JVM_OPTS");
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), text);
  }

  @Test
  void takesTheMachineWhereNothingLimitsIt() throws Exception {
    Outcome said = tune("--clients", "2000");
    assertThat(said.exitCode).as(said.text).isZero();
    assertThat(said.text)
        .containsPattern("cores: 4 +the machine's")
        .containsPattern("memory: 16000 MB +the machine's")
        .containsPattern("-Xms64m -Xmx544m +256 MB for plans")
        .containsPattern("-XX:MaxDirectMemorySize=384m +128 MB")
        .contains("-XX:+UseG1GC", "-XX:+UseTransparentHugePages")
        .contains("one event loop per core: 4");
  }

  @Test
  void takesWhatGroupsOfVersion2Leave() throws Exception {
    write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    write("proc/self/cgroup", "0::/system.slice/anabranch.service\n");
    write("sys/fs/cgroup/system.slice/memory.max", "805306368\n");
    write("sys/fs/cgroup/system.slice/anabranch.service/memory.max", "max\n");
    write("sys/fs/cgroup/system.slice/cpu.max", "max 100000\n");
    write("sys/fs/cgroup/system.slice/anabranch.service/cpu.max", "150000 100000\n");
    Outcome said = tune();
    assertThat(said.exitCode).as(said.text).isZero();
    assertThat(said.text)
        .containsPattern("cores: 2 +the control group's")
        .containsPattern("memory: 768 MB +the control group's")
        .containsPattern("-Xmx288m +.*, cut to half")
        .containsPattern("-XX:MaxDirectMemorySize=256m");
  }

  @Test
  void takesWhatGroupsOfVersion1LeaveInAContainer() throws Exception {
    write("proc/self/cgroup", "5:memory:/docker/ab12\n4:cpu,cpuacct:/docker/ab12\n");
    // in a container the root of the controllers is the group itself
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    Outcome said = tune();
    assertThat(said.text)
        .containsPattern("cores: 1 +the control group's")
        .containsPattern("memory: 512 MB +the control group's")
        .contains("-Xms64m -Xmx160m", "-XX:+UseSerialGC")
        .doesNotContain("MaxGCPauseMillis");
    // no limit is a number that no machine has
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    assertThat(tune().text)
        .containsPattern("cores: 4 +the machine's")
        .containsPattern("memory: 16000 MB +the machine's");
  }

  @Test
  void countsTheCoresThatItMayRunOn() throws Exception {
    write("proc/self/status", "Name:\tbash\nCpus_allowed_list:\t1-2\n");
    assertThat(tune().text).containsPattern("cores: 2 +those that this process may run on");
    write("proc/self/status", "Cpus_allowed_list:\t0,2-3\n");
    assertThat(tune().text).containsPattern("cores: 3 +those that this process may run on");
    // of cores that the machine may get some day, too
    write("proc/self/status", "Cpus_allowed_list:\t0-127\n");
    assertThat(tune().text).containsPattern("cores: 4 +the machine's");
  }

  @Test
  void thereIsAlwaysACore() throws Exception {
    write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    write("sys/fs/cgroup/cpu.max", "1000 1000000\n");
    assertThat(tune().text).containsPattern("cores: 1 +the control group's");
    write("sys/fs/cgroup/cpu.max", "max 100000\n");
    for (String information : List.of("", "vendor_id : unknown\n")) {
      write("proc/cpuinfo", information);
      Outcome said = tune();
      assertThat(said.exitCode).as(said.text).isZero();
      assertThat(said.text).containsPattern("cores: 1 +the machine's");
    }
  }

  @Test
  void theDocsShowWhatItSays() throws Exception {
    Files.writeString(
        conf.resolve("database-shop.yaml"),
        "dataSources:\n  a: { url: \"jdbc:mysql://a/x\" }\n  b: { url: \"jdbc:mysql://b/x\" }\n");
    assertThat(
            Files.readString(Path.of("..", "docs", "operations.md"))
                .lines()
                .filter(
                    line -> line.matches("(-X|proxy-frontend-executor-size: |maxPoolSize: ).*")))
        .isNotEmpty()
        .isSubsetOf(tune("--clients", "2000").text.lines().toList());
  }

  @Test
  void countsPoolsOfTheConfiguration() throws Exception {
    Files.writeString(
        conf.resolve("database-shop.yaml"),
        """
        dataSources:
          p0: &pool { url: "jdbc:mysql://a:3306/shop", maxPoolSize: 40 }
          r0: { <<: *pool, url: "jdbc:mysql://b:3306/shop" }
        """);
    Files.writeString(
        conf.resolve("database-other.yaml"),
        "dataSources:\n  ds:\n    url: jdbc:mysql://c/x\n#  old: { url: jdbc:mysql://d/x }\n");
    assertThat(tune().text)
        .containsPattern("data sources: 3 +.*up to 130 connections")
        .containsPattern("maxPoolSize: 66 +50 per core over 3 data source");
  }

  @Test
  void writesItsOptionsAndLeavesOthers() throws Exception {
    write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    String before = Files.readString(conf.resolve("jvm.options"));
    Outcome written = tune("--write", "--clients", "2000");
    assertThat(written.exitCode).as(written.text).isZero();
    assertThat(conf.resolve("jvm.options"))
        .hasContent(
            """
            # of ours
            -Xms64m
            -Xmx544m
            -XX:MaxDirectMemorySize=384m
            -XX:+UseG1GC
            # stays
            -Dmine=1
            -XX:MaxGCPauseMillis=20
            -XX:-UseTransparentHugePages
            """);
    assertThat(conf.resolve("jvm.options.before-tune")).hasContent(before);
    assertThat(tune("--write", "--clients", "2000").text).contains("says so already");
    assertThat(conf.resolve("jvm.options.before-tune")).hasContent(before);
  }

  @Test
  void beginsWithTheDefaultsWhereThereAreNoOptions() throws Exception {
    Files.delete(conf.resolve("jvm.options"));
    Outcome refused = tune("--write");
    // beside these scripts there is no lib/defaults
    assertThat(refused.exitCode).isEqualTo(1);
    assertThat(refused.text).contains("there is no", "jvm.options to begin with");
  }

  @Test
  void beginsWithTheOptionsInForceWhereTheFolderHasNone() throws Exception {
    Path bin = Files.createDirectories(temporary.resolve("home/bin"));
    for (String script : List.of("tune.sh", "machine.sh", "process.sh")) {
      Files.copy(SCRIPT.resolveSibling(script), bin.resolve(script));
    }
    Path inForce = Files.createDirectory(temporary.resolve("home/conf")).resolve("jvm.options");
    Files.writeString(inForce, "-Dmine=2\n");
    Files.delete(conf.resolve("jvm.options"));
    Outcome written = tune(bin.resolve("tune.sh"), Map.of(), "--write");
    assertThat(written.exitCode).as(written.text).isZero();
    assertThat(conf.resolve("jvm.options")).content().startsWith("-Dmine=2\n-Xms64m\n");
    assertThat(inForce).hasContent("-Dmine=2");
  }

  @Test
  void checkIsSilentWhereAllFits() throws Exception {
    assertThat(tune("--check")).isEqualTo(new Outcome(0, ""));
  }

  @Test
  void checkTellsWhatDoesNotFit() throws Exception {
    write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    write("sys/fs/cgroup/memory.max", "1073741824\n");
    write("proc/self/limits", limits("1024"));
    write("proc/sys/net/core/somaxconn", "128\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    Files.writeString(
        conf.resolve("jvm.options"), "-Xmx1g\n-Xmx512m\n-XX:+UseTransparentHugePages\n");
    Outcome said = tune("--check");
    assertThat(said.exitCode).isEqualTo(1);
    assertThat(said.text.lines())
        .satisfiesExactly(
            memory -> assertThat(memory).contains("may need 1216 MB", "is 1024 MB"),
            files -> assertThat(files).contains("1024 open files are allowed", "need 1256"),
            queue -> assertThat(queue).contains("net.core.somaxconn is 128"),
            pages -> assertThat(pages).contains("asks for huge pages"));
    Files.writeString(
        conf.resolve("global.yaml"),
        "props:\n  proxy-frontend-max-connections: 200\n  proxy-netty-backlog: 100\n");
    Map<String, String> options =
        Map.of("ANABRANCH_JVM_OPTS", "-Xmx256m -XX:MaxDirectMemorySize=256m");
    assertThat(tune(options, "--check")).isEqualTo(new Outcome(0, ""));
  }

  @Test
  void wrongArgumentsAreRefused() throws Exception {
    for (List<String> wrong :
        List.of(
            List.of("--clients"),
            List.of("--clients", "many"),
            List.of("--write", "--check"),
            List.of("-c", temporary.resolve("none").toString()),
            List.of("--what"))) {
      Outcome refused = tune(wrong.toArray(String[]::new));
      assertThat(refused.exitCode).as("%s: %s", wrong, refused.text).isEqualTo(2);
    }
    assertThat(tune("--help").text).contains("usage: tune.sh");
  }
}
