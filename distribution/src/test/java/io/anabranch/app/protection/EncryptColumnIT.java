package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.encrypt.ColumnEncryption;
import io.anabranch.app.encrypt.ColumnEncryption.Outcome;
import io.anabranch.app.encrypt.ColumnEncryption.Writing;
import io.anabranch.app.encrypt.EncryptionFailure;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Columns with plain values become encrypted ones. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class EncryptColumnIT {

  private static final String SCHEMA = "it_encrypt_column";

  private static final String RULE =
      """
      - !ENCRYPT
        tables:
          person:
            columns:
              phone:
                cipher: { name: phone_cipher, encryptorName: gcm }
                assistedQuery: { name: phone_hash, encryptorName: hash }
                likeQuery: { name: phone_like, encryptorName: like }
          one:
            columns:
              code: { cipher: { name: code_cipher, encryptorName: aes } }
              name: { cipher: { name: name, encryptorName: aes } }
        encryptors:
          aes: { type: AES, props: { aes-key-value: secret } }
          gcm: { type: AES_GCM, props: { key-id: a, key-value-a: secret } }
          hash: { type: HMAC_SHA256, props: { hmac-key-value: pepper } }
          like: { type: CHAR_DIGEST_LIKE, props: { mask: 65535 } }
      """;

  private List<DatabaseServer> servers = List.of();

  @BeforeEach
  void prepare(DatabaseServers databases) {
    servers = List.of(databases.primaryA(), databases.primaryB());
    for (int i = 0; i < servers.size(); i++) {
      servers
          .get(i)
          .execute(
              "DROP DATABASE IF EXISTS it_encrypt_column",
              "CREATE DATABASE it_encrypt_column CHARACTER SET utf8mb4");
      for (int part = 0; part < 2; part++) {
        String table = SCHEMA + ".person_" + part;
        servers
            .get(i)
            .execute(
                "CREATE TABLE "
                    + table
                    + " (id BIGINT, kind VARCHAR(20), phone VARCHAR(40), phone_cipher"
                    + " VARCHAR(300), phone_hash CHAR(64), phone_like VARCHAR(40),"
                    + " PRIMARY KEY (kind, id))");
        var rows = new ArrayList<String>();
        for (int row = 0; row < 30; row++) {
          int id = 4 * row + 2 * part + i;
          String phone = row % 7 == 0 ? "NULL" : "'+49 0" + id + "'";
          rows.add("(" + id + ", 'Kind " + row % 3 + "', " + phone + ")");
        }
        servers
            .get(i)
            .execute(
                "INSERT INTO " + table + " (id, kind, phone) VALUES " + String.join(", ", rows));
      }
    }
    servers
        .getLast()
        .execute(
            "CREATE TABLE it_encrypt_column.one (id INT PRIMARY KEY, code DECIMAL(6,2),"
                + " name VARCHAR(40), code_cipher VARCHAR(100), changed TIMESTAMP NULL"
                + " DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP)",
            "INSERT INTO it_encrypt_column.one VALUES (1, 1.50, 'a', NULL, '2020-01-02 03:04:05'),"
                + " (2, -7, 'b', 'old', NULL)");
  }

  private String configuration() {
    return "databaseName: "
        + SCHEMA
        + "\ndataSources:\n"
        + RunningProxy.source("ds_0", servers.getFirst(), SCHEMA)
        + RunningProxy.source("ds_1", servers.getLast(), SCHEMA)
        + """
        rules:
        - !SINGLE
          tables: ["*.*"]
          defaultDataSource: ds_1
        - !SHARDING
          tables:
            person:
              actualDataNodes: ds_${0..1}.person_${0..1}
              databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_source } }
              tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_table } }
          shardingAlgorithms:
            by_source: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}" } }
            by_table: { type: INLINE, props: { algorithm-expression: "person_${id.intdiv(2) % 2}" } }
        """
        + RULE;
  }

  private LogicalDatabase database() {
    return InstalledAlgorithms.loader()
        .load(
            List.of(
                new ConfigurationText(
                    "global.yaml", "authority: { users: [ { user: u, password: p } ] }"),
                new ConfigurationText("database-0.yaml", configuration())))
        .ruleSet()
        .databases()
        .values()
        .iterator()
        .next();
  }

  private Outcome run(String table, String column, String from, Writing writes)
      throws EncryptionFailure {
    return new ColumnEncryption(database(), table, column, from, 7).run(writes, _ -> {});
  }

  @Test
  void whatIsThereIsStoredAsTheRuleSays() throws Exception {
    long values =
        servers.stream()
            .mapToLong(
                server ->
                    Long.parseLong(
                            server.queryOne("SELECT COUNT(phone) FROM it_encrypt_column.person_0"))
                        + Long.parseLong(
                            server.queryOne("SELECT COUNT(phone) FROM it_encrypt_column.person_1")))
            .sum();
    assertThat(run("person", "phone", "phone", Writing.NOTHING))
        .isEqualTo(new Outcome(120, 0, values));
    assertThat(run("person", "phone", "phone", Writing.MISSING))
        .isEqualTo(new Outcome(120, values, 0));
    assertThat(run("person", "phone", "phone", Writing.MISSING)).isEqualTo(new Outcome(120, 0, 0));
    servers
        .getFirst()
        .execute(
            "UPDATE it_encrypt_column.person_1 SET phone = 'other' WHERE id = 6",
            "UPDATE it_encrypt_column.person_0 SET phone_hash = 'wrong' WHERE id IN (4, 8)",
            "UPDATE it_encrypt_column.person_0 SET phone = NULL WHERE id = 12",
            "UPDATE it_encrypt_column.person_0 SET phone_cipher = 'a:damaged' WHERE id = 16");
    assertThat(run("person", "phone", "phone", Writing.NOTHING)).isEqualTo(new Outcome(120, 0, 5));
    assertThat(run("person", "phone", "phone", Writing.MISSING))
        .as("values that can be read may be newer")
        .isEqualTo(new Outcome(120, 3, 2));
    assertThat(run("person", "phone", "phone", Writing.ALL)).isEqualTo(new Outcome(120, 2, 0));

    var plain = new ArrayList<String>();
    for (DatabaseServer server : servers) {
      try (Connection direct = server.connect(SCHEMA)) {
        for (int part = 0; part < 2; part++) {
          Transcript.of(direct, "SELECT id, kind, phone FROM person_" + part)
              .rows()
              .forEach(row -> plain.add(row.toString()));
        }
      }
      server.execute(
          "ALTER TABLE it_encrypt_column.person_0 DROP COLUMN phone",
          "ALTER TABLE it_encrypt_column.person_1 DROP COLUMN phone");
    }
    try (RunningProxy proxy = RunningProxy.startWith("", List.of(), configuration());
        Connection client = proxy.connect(SCHEMA)) {
      assertThat(Transcript.of(client, "SELECT id, kind, phone FROM person").rows())
          .extracting(Object::toString)
          .containsExactlyInAnyOrderElementsOf(plain);
      assertThat(Transcript.of(client, "SELECT id FROM person WHERE phone = 'other'").rows())
          .hasSize(1);
      assertThat(Transcript.of(client, "SELECT id FROM person WHERE phone LIKE '%49 011'").rows())
          .hasSize(1);
    }
  }

  @Test
  void aTableOfOneDataSourceIsFound() throws Exception {
    assertThat(run("one", "code", "code", Writing.MISSING)).isEqualTo(new Outcome(2, 2, 0));
    assertThat(
            servers
                .getLast()
                .queryOne(
                    "SELECT GROUP_CONCAT(IFNULL(changed, 'never') ORDER BY id) FROM"
                        + " it_encrypt_column.one"))
        .isEqualTo("2020-01-02 03:04:05,never");
    servers.getLast().execute("ALTER TABLE it_encrypt_column.one DROP COLUMN code");
    try (RunningProxy proxy = RunningProxy.startWith("", List.of(), configuration());
        Connection client = proxy.connect(SCHEMA)) {
      assertThat(Transcript.of(client, "SELECT code FROM one WHERE id = 1").rows().toString())
          .contains("1.50");
    }
  }

  /** What was written since the rule is in force is in the stored columns alone. */
  @Test
  void aPlainColumnIsNotTakenForTheStoredOnes() throws Exception {
    run("one", "code", "code", Writing.MISSING);
    run("person", "phone", "phone", Writing.MISSING);
    try (RunningProxy proxy = RunningProxy.startWith("", List.of(), configuration());
        Connection client = proxy.connect(SCHEMA);
        Statement statement = client.createStatement()) {
      for (String sql :
          List.of(
              "ALTER TABLE one DROP COLUMN code",
              "ALTER TABLE one DROP COLUMN IF EXISTS code, ADD COLUMN x INT",
              "ALTER TABLE one MODIFY code VARCHAR(60)",
              "ALTER TABLE person DROP phone",
              "ALTER TABLE person CHANGE phone phone VARCHAR(60)")) {
        assertThatThrownBy(() -> statement.execute(sql))
            .as(sql)
            .hasMessageContaining("AB2070")
            .hasMessageContaining("plain column of that name");
      }
      assertThat(Transcript.of(client, "SELECT code FROM one WHERE id = 1").rows().toString())
          .contains("1.50");
      servers.getLast().execute("ALTER TABLE it_encrypt_column.one DROP COLUMN code");
      statement.execute("ALTER TABLE one DROP COLUMN code");
    }
    assertThat(
            servers
                .getLast()
                .queryOne(
                    "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA ="
                        + " 'it_encrypt_column' AND COLUMN_NAME = 'code_cipher'"))
        .isEqualTo("0");
  }

  @Test
  void whatCannotBeDoneIsSaid() {
    assertThatThrownBy(() -> run("person", "city", "city", Writing.MISSING))
        .hasMessageContaining("has no rule !ENCRYPT for person.city");
    assertThatThrownBy(() -> run("one", "name", "name", Writing.MISSING))
        .hasMessageContaining("plain values are in name");
    assertThatThrownBy(() -> run("person", "phone", "mobile", Writing.MISSING))
        .hasMessageContaining("has no column mobile");
    servers.getLast().execute("ALTER TABLE it_encrypt_column.one DROP COLUMN code_cipher");
    assertThatThrownBy(() -> run("one", "code", "code", Writing.MISSING))
        .hasMessageContaining("ALTER TABLE one ADD COLUMN code_cipher");
    servers
        .getLast()
        .execute(
            "ALTER TABLE it_encrypt_column.one ADD COLUMN code_cipher VARCHAR(10), DROP PRIMARY KEY");
    assertThatThrownBy(() -> run("one", "code", "code", Writing.MISSING))
        .hasMessageContaining("has no primary key");
    servers.getLast().execute("ALTER TABLE it_encrypt_column.one ADD PRIMARY KEY (id)");
    assertThatThrownBy(() -> run("one", "code", "code", Writing.MISSING))
        .as("what does not fit is not cut")
        .hasMessageContaining("code_cipher");
    assertThat(servers.getLast().queryOne("SELECT COUNT(code_cipher) FROM it_encrypt_column.one"))
        .isEqualTo("0");
  }
}
