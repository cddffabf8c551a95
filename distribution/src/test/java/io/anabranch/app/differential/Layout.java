package io.anabranch.app.differential;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import java.util.List;

/**
 * How the tables of a {@link Sample} are spread: {@code ta} and {@code tb} are bound, {@code tc} is
 * sharded by another column, {@code td} is a broadcast table, {@code ts} a single one.
 */
enum Layout {
  /** One data source, four tables by one column. */
  ONE(
      "one data source, four tables by one column",
      1,
      """
          tables:
            ta: { actualDataNodes: "ds_0.ta_${0..3}", tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: by4 } } }
            tb: { actualDataNodes: "ds_0.tb_${0..3}", tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: by4 } } }
            tc: { actualDataNodes: "ds_0.tc_${0..2}", tableStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: by3 } } }
      """),
  /** Two data sources by one column, two tables in each by another. */
  TWO(
      "two data sources by one column, two tables by another",
      2,
      """
          tables:
            ta:
              actualDataNodes: ds_${0..1}.ta_${0..1}
              databaseStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: by2 } }
              tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: by2 } }
            tb:
              actualDataNodes: ds_${0..1}.tb_${0..1}
              databaseStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: by2 } }
              tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: by2 } }
          autoTables:
            tc:
              actualDataSources: ds_${0..1}
              shardingStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: hash5 } }
      """),
  /** Three data sources, six tables in turn; the third table by data source only. */
  THREE(
      "three data sources, six tables in turn",
      3,
      """
          tables:
            tc:
              actualDataNodes: ds_${0..2}.tc
              databaseStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: by3 } }
          autoTables:
            ta:
              actualDataSources: ds_${0..2}
              shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: hash6 } }
            tb:
              actualDataSources: ds_${0..2}
              shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: hash6 } }
      """),
  /** Two data sources by numbers, five tables in turn by a string. */
  TEXT(
      "two data sources, five tables in turn by a string",
      2,
      """
          tables:
            tc:
              actualDataNodes: ds_${0..1}.tc_${0..2}
              databaseStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: by2 } }
              tableStrategy: { standard: { shardingColumn: u, shardingAlgorithmName: by3 } }
          autoTables:
            ta:
              actualDataSources: ds_${0..1}
              shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: hash5 } }
            tb:
              actualDataSources: ds_${0..1}
              shardingStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: hash5 } }
      """),
  /** As {@link #TWO}; a column that all tables have is stored encrypted. */
  ENCRYPTED("two data sources by one column, two tables by another, an encrypted column", TWO);

  private static final String ALGORITHMS =
      """
          bindingTables:
            - ta, tb
          shardingAlgorithms:
            by2: { type: MOD, props: { sharding-count: 2 } }
            by3: { type: MOD, props: { sharding-count: 3 } }
            by4: { type: MOD, props: { sharding-count: 4 } }
            hash5: { type: HASH_MOD, props: { sharding-count: 5 } }
            hash6: { type: HASH_MOD, props: { sharding-count: 6 } }
      - !BROADCAST
          tables: [td]
      - !SINGLE
          tables: ["*.*"]
          defaultDataSource: ds_0
      """;

  private final String title;
  private final int sources;
  private final String sharding;

  Layout(String title, int sources, String sharding) {
    this.title = title;
    this.sources = sources;
    this.sharding = sharding;
  }

  Layout(String title, Layout like) {
    this(title, like.sources, like.sharding);
  }

  /** Whether the sharding column {@code k} is a string. */
  boolean hasTextKey() {
    return this == TEXT;
  }

  /** Whether {@link ColumnPool#EXACT} is stored encrypted. */
  boolean encrypts() {
    return this == ENCRYPTED;
  }

  /** Of all queries, from 0 to 1; what is computed of an encrypted column is refused. */
  double refusedAtMost() {
    return encrypts() ? 0.6 : 0.03;
  }

  /** As docs/compatibility.md names it. */
  String title() {
    return title;
  }

  int sources() {
    return sources;
  }

  /** The database file; data source n has the schema {@code name_n}. */
  String yaml(String name, List<DatabaseServer> servers) {
    var text = new StringBuilder("databaseName: " + name + "\ndataSources:\n");
    for (int source = 0; source < sources; source++) {
      DatabaseServer server = servers.get(source % servers.size());
      String data = RunningProxy.source("ds_" + source, server, name + "_" + source);
      // a machine that is busy with the campaign lets in late
      text.append(data.replace("Milliseconds: 3000", "Milliseconds: 30000"));
    }
    String used = ALGORITHMS;
    for (String algorithm : List.of("by2", "by3", "by4", "hash5", "hash6")) {
      if (!sharding.contains("AlgorithmName: " + algorithm + " ")) {
        used = used.replaceAll("(?m)^ *" + algorithm + ":.*\\n", "");
      }
    }
    return text + "rules:\n- !SHARDING\n" + sharding + used + (encrypts() ? encryption() : "");
  }

  private static String encryption() {
    var text = new StringBuilder("- !ENCRYPT\n  tables:\n");
    for (String table : List.of("ta", "tb", "tc", "td", "ts")) {
      text.append(
          """
              %s:
                columns:
                  %s:
                    cipher: { name: hidden, encryptorName: aes }
          """
              .formatted(table, ColumnPool.EXACT));
    }
    return text
        + """
          encryptors:
            aes: { type: AES, props: { aes-key-value: secret } }
        """;
  }
}
