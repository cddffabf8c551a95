package io.anabranch.rules.config.outline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What two files say otherwise. */
class OutlineTest {

  private static final Outline BASE =
      Outline.of(
          """
          # comment
          dataSources:
            ds_0: &pool { url: "jdbc:mysql://u:secret@h:1/a?password=secret", password: secret, maxPoolSize: 5 }
            ds_1: { <<: *pool, maxPoolSize: 6 }
          rules:
          - !SINGLE
            tables: [a, b]
          - !SHARDING
            shardingAlgorithms: { x: { type: MOD } }
          users:
          - { user: a@%, password: secret }
          - b@%:secret
          """);

  @Test
  void saysNothingOfWhatIsTheSame() {
    Outline same =
        Outline.of(
            """
            rules:
            - !SHARDING
              shardingAlgorithms:
                x: { type: MOD }
            - !SINGLE
              tables:
              - a
              - b
            users:
            - { user: a@%, password: secret }
            - b@%:secret
            dataSources:
              ds_0: { url: "jdbc:mysql://u:secret@h:1/a?password=secret", password: secret, maxPoolSize: 5 }
              ds_1:
                url: jdbc:mysql://u:secret@h:1/a?password=secret
                maxPoolSize: "6"
                password: secret
            """);
    assertThat(BASE.changesTo(same)).isEmpty();
    assertThat(same).isEqualTo(BASE);
  }

  /** What names no data source goes to the first. */
  @Test
  void saysThatTheFirstIsAnother() {
    Outline two = Outline.of("dataSources: { a: { url: x }, b: { url: y } }\n");
    Outline other = Outline.of("dataSources: { b: { url: y }, a: { url: x } }\n");
    assertThat(two.changesTo(other)).containsExactly("dataSources: the order has changed");
    assertThat(other).isNotEqualTo(two);
    assertThat(
            two.changesTo(
                Outline.of("dataSources: { c: { url: x }, a: { url: x }, b: { url: y } }")))
        .containsExactly("dataSources.c is new");
    String groups = "rules:\n- !READWRITE_SPLITTING\n  dataSourceGroups: { %s: {}, %s: {} }\n";
    assertThat(
            Outline.of(groups.formatted("g", "h"))
                .changesTo(Outline.of(groups.formatted("h", "g"))))
        .containsExactly("rules.!READWRITE_SPLITTING.dataSourceGroups: the order has changed");
  }

  @Test
  void saysInWordsWhatIsOtherwiseAndNoSecret() {
    Outline other =
        Outline.of(
            """
            dataSources:
              ds_0: { url: "jdbc:mysql://u:hidden@h:2/a", password: hidden, maxPoolSize: 7 }
              ds_2: { url: "jdbc:mysql://h:1/a", maxPoolSize: 6 }
            rules:
            - !SINGLE
              tables: [a, c]
            - !BROADCAST
              tables: [d]
            users:
            - { user: a@%, password: hidden }
            - b@%:hidden
            """);
    assertThat(BASE.changesTo(other))
        .containsExactly(
            "dataSources.ds_0.url: h:1/a -> h:2/a",
            "dataSources.ds_0.password has changed",
            "dataSources.ds_0.maxPoolSize: 5 -> 7",
            "dataSources.ds_1 is gone",
            "dataSources.ds_2 is new",
            "rules.!SINGLE.tables: a, b -> a, c",
            "rules.!SHARDING is gone",
            "rules.!BROADCAST is new",
            "users[a@%].password has changed",
            "users[b@%] has changed");
  }

  @Test
  void namesTheFilesThatComeAndGo() {
    var before = new Outlines(BASE, Map.of("a", BASE, "b", BASE));
    var after = new Outlines(Outline.EMPTY.part("x"), Map.of("b", BASE, "c", BASE));
    assertThat(before.changesTo(after))
        .contains("global: dataSources is gone", "database a is gone", "database c is new")
        .noneMatch(change -> change.startsWith("database b"));
  }

  @Test
  void hasParts() {
    assertThat(BASE.part("rules", "!SINGLE")).isEqualTo(Outline.of("tables: [a, b]"));
    assertThat(BASE.part("rules", "!MASK")).isEqualTo(Outline.EMPTY);
  }
}
