package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code mode} of {@code global.yaml}. */
class ModeConfigurationTest {

  private static @Nullable ClusterRepository load(String mode) {
    String global = "authority:\n  users:\n  - { user: app, password: a }\n" + mode;
    return new ConfigurationLoader(
            new AlgorithmCatalogue(List.of()), name -> name.equals("SECRET") ? "hidden" : null)
        .load(List.of(new ConfigurationText("global.yaml", global)))
        .repository();
  }

  private static ClusterRepository.Jdbc shared(String mode) {
    return (ClusterRepository.Jdbc) Objects.requireNonNull(load(mode));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode: {}",
        "mode: { type: Standalone }",
        "mode: { type: standalone, repository: { type: JDBC, props: { provider: H2 } } }"
      })
  void aProxyByItselfHasNone(String mode) {
    assertThat(load(mode)).isNull();
  }

  @Test
  void readsWhereTheClusterIs() {
    ClusterRepository.Jdbc read =
        shared(
            "mode: { type: Cluster, repository: { type: JDBC, props: { jdbc_url:"
                + " \"jdbc:mysql://db:3307/registry\", username: u, password: \"${env:SECRET}\" } } }");
    assertThat(read.namespace()).isEqualTo("anabranch");
    assertThat(read.source().password()).isEqualTo("hidden");
    assertThat(read.source().schema()).isEqualTo("registry");
    assertThat(read.toString()).doesNotContain("hidden");
    assertThat(List.of(read.pollMilliseconds(), read.timeoutMilliseconds()))
        .containsExactly(500L, 2000L);
    assertThat(read.timeToLiveSeconds()).isEqualTo(10);
    ClusterRepository.Jdbc slow =
        shared(
            "mode: { type: Cluster, repository: { type: JDBC, props: { jdbc_url:"
                + " \"jdbc:mysql://db:3307/registry\", retryIntervalMilliseconds: 2500 } } }");
    assertThat(slow.pollMilliseconds()).as("a quarter of the time").isEqualTo(2500);
  }

  @Test
  void readsShardingSpheresZooKeeper() {
    ClusterRepository read =
        load(
            "mode: { type: Cluster, repository: { type: ZooKeeper, props: { namespace: governance_ds,"
                + " server-lists: \"a:2181, b:2181\", digest: \"u:${env:SECRET}\", maxRetries: 5 } } }");
    assertThat(read)
        .isEqualTo(
            new ClusterRepository.ZooKeeper(
                "governance_ds", "a:2181,b:2181", "u:hidden", 5, 500, 500, 60));
    assertThat(String.valueOf(read)).doesNotContain("hidden");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ type: Clustre } | global.yaml:4:15 | unknown mode Clustre",
        "{ type: Cluster } | global.yaml:4:15 | a cluster needs a repository",
        "{ type: Cluster, repository: { type: Etcd, props: {} } } | global.yaml:4:44 | use the"
            + " type JDBC",
        "{ type: Cluster, repository: { type: ZooKeeper, props: {} } } | global.yaml:4:62 |"
            + " `server-lists` is missing",
        "{ type: Cluster, repository: { type: ZooKeeper, props: { server-lists: here } } } |"
            + " global.yaml:4:78 | is no list of servers",
        "{ type: Cluster, repository: { type: Redis } } | global.yaml:4:44 | unknown repository"
            + " Redis",
        "{ type: Cluster, repository: { type: JDBC } } | global.yaml:4:36 | the key `props` is"
            + " missing",
        "{ type: Cluster, repository: { type: JDBC, props: {} } } | global.yaml:4:57 | `jdbc_url`"
            + " is missing",
        "{ type: Cluster, repository: { type: JDBC, props: { jdbc_url: 'jdbc:h2:mem' } } } |"
            + " global.yaml:4:69 | not a JDBC URL",
        "{ type: Cluster, repository: { type: JDBC, props: { jdbc_url: 'jdbc:mysql://h:1/' } } } |"
            + " global.yaml:4:69 | names no database",
        "{ type: Cluster, repository: { type: JDBC, props: { jdbc_url: 'jdbc:mysql://h:1/d',"
            + " namespace: 'a b' } } } | global.yaml:4:102 | must be 1 to 64",
        "{ type: Cluster, repository: { type: JDBC, props: { jdbc_url: 'jdbc:mysql://h:1/d',"
            + " namespac: a } } } | global.yaml:4:91 | did you mean `namespace`",
        "{ type: Cluster, repository: { type: JDBC, props: { jdbc_url: 'jdbc:mysql://h:1/d',"
            + " timeToLiveSeconds: 2, retryIntervalMilliseconds: 501 } } } | global.yaml:4:110 |"
            + " every 501 ms (retryIntervalMilliseconds) and is counted as gone after 2 s",
        "{ type: Cluster, repository: { type: JDBC, props: { jdbc_url: 'jdbc:mysql://h:1/d',"
            + " retryIntervalMilliseconds: 2501 } } } | global.yaml:4:118 | at least 4 intervals"
      })
  void saysWhatIsWrong(String mode, String place, String words) {
    ConfigurationException refused =
        catchThrowableOfType(ConfigurationException.class, () -> load("mode: " + mode));
    assertThat(refused.problems())
        .extracting(Problem::toString)
        .anySatisfy(problem -> assertThat(problem).startsWith(place).contains(words));
  }
}
