package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.protection.EncryptIT.Layout;
import io.anabranch.app.protection.EncryptIT.Pair;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * ALTER TABLE and CREATE INDEX of encrypted columns: the table is to clients what the same makes of
 * plain columns, or it is refused. {@code -Dalter.seeds=1,100} draws from the first to the last of
 * these.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class EncryptAlterIT {

  private static final int STATEMENTS = 25;
  private static final int TAKEN_AT_LEAST = 8;

  private static final List<String> PARTS =
      List.of(
          "ADD COLUMN x INT AFTER phone",
          "ADD COLUMN y INT FIRST",
          "ADD z INT AFTER mail",
          "ADD (v INT, w INT)",
          "DROP COLUMN x",
          "DROP y",
          "DROP z",
          "DROP COLUMN note",
          "ADD COLUMN note TEXT AFTER phone",
          "ADD note TEXT FIRST",
          "ADD COLUMN note VARCHAR(90)",
          "ADD (note TEXT NULL, u INT)",
          "DROP u",
          "DROP COLUMN mail",
          "ADD mail VARCHAR(60) AFTER id",
          "ADD COLUMN mail VARCHAR(60) CHARACTER SET utf8mb4 COMMENT 'of, them' AFTER note",
          "MODIFY phone VARCHAR(60) NOT NULL AFTER city",
          "MODIFY COLUMN mail VARCHAR(80) FIRST",
          "MODIFY mail VARCHAR(90) AFTER phone",
          "CHANGE phone phone VARCHAR(70) NOT NULL",
          "CHANGE COLUMN phone `phone` VARCHAR(75) NOT NULL AFTER id",
          "MODIFY city VARCHAR(30) AFTER phone",
          "CHANGE city city VARCHAR(35) FIRST",
          "ADD INDEX (phone)",
          "ADD KEY k (city, phone)",
          "ADD INDEX phone (phone, city)",
          "ADD UNIQUE KEY u (phone, id)",
          "ADD CONSTRAINT c UNIQUE (id, phone)",
          "DROP INDEX u",
          "DROP KEY k",
          "DROP INDEX phone",
          "DROP INDEX c",
          "RENAME INDEX by_phone TO phone",
          "RENAME INDEX phone TO by_phone",
          "ALTER COLUMN city SET DEFAULT 'Ulm'",
          "COMMENT = 'phone'");

  private static final List<String> WHOLE =
      List.of(
          "CREATE INDEX ci ON person (phone)",
          "CREATE UNIQUE INDEX cu ON person (phone, id)",
          "DROP INDEX ci ON person",
          "DROP INDEX cu ON person");

  private static List<String> refused() {
    return Stream.concat(
            Stream.of(
                    "RENAME COLUMN phone TO p",
                    "RENAME COLUMN city TO phone_hash",
                    "RENAME TO people",
                    "CONVERT TO CHARACTER SET utf8mb4",
                    "MODIFY phone VARCHAR(5) NOT NULL",
                    "MODIFY mail VARCHAR(60) NOT NULL",
                    "MODIFY mail INT",
                    "CHANGE phone number VARCHAR(60) NOT NULL",
                    "CHANGE city phone_hash INT",
                    "ADD COLUMN phone_hash INT",
                    "ADD COLUMN x INT, ADD COLUMN phone_like INT",
                    "ADD (x INT, note_cipher INT)",
                    "ADD COLUMN x INT AFTER phone_cipher",
                    "ADD COLUMN x INT AS (CHAR_LENGTH(phone))",
                    "DROP COLUMN phone_cipher",
                    "DROP note, ADD note TEXT NOT NULL",
                    "ALTER COLUMN phone SET DEFAULT 'x'",
                    "ADD FULLTEXT KEY f (phone)",
                    "ADD KEY k (note)",
                    "ADD KEY k (phone(5))",
                    "ADD CHECK (phone <> 'x')",
                    "ADD FOREIGN KEY (phone) REFERENCES visit (city)",
                    "ORDER BY phone")
                .map(part -> "ALTER TABLE person " + part),
            Stream.of(
                "CREATE INDEX i ON person (phone(3))",
                "CREATE FULLTEXT INDEX i ON person (phone)",
                "CREATE INDEX i ON person (note)",
                "CREATE INDEX i ON person (phone_hash)"))
        .toList();
  }

  private static String drawn(Random random) {
    if (random.nextInt(6) == 0) {
      return WHOLE.get(random.nextInt(WHOLE.size()));
    }
    var parts = new ArrayList<String>();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      parts.add(PARTS.get(random.nextInt(PARTS.size())));
    }
    return "ALTER TABLE person " + String.join(", ", parts);
  }

  private static String labels(Transcript answer) {
    return answer
        .head()
        .lines()
        .map(line -> line.split("\\|", 2)[0])
        .collect(Collectors.joining(","));
  }

  /** The table, its indexes and what they keep apart. */
  private static String told(Connection client) throws SQLException {
    Transcript all = Transcript.of(client, "SELECT * FROM person ORDER BY id");
    String keys =
        EncryptIT.rows(client, "SHOW INDEX FROM person").stream()
            .map(row -> row.get(2) + "." + row.get(4) + "." + row.get(1))
            .sorted()
            .distinct()
            .toList()
            .toString();
    var probes = new ArrayList<String>();
    for (String sql :
        List.of(
            "INSERT INTO person (id, phone) VALUES (90, 'again')",
            "INSERT INTO person (id, phone, city) VALUES (92, 'again', 'x')",
            "SELECT id FROM person WHERE phone = 'again' ORDER BY id",
            "DELETE FROM person WHERE phone = 'again'")) {
      Transcript answer = Transcript.of(client, sql);
      probes.add(answer.isError() ? answer.withoutMessage().head() : answer.rows().toString());
    }
    return labels(all)
        + "\n"
        + all.rows()
        + "\n"
        + EncryptIT.column(client, "SHOW COLUMNS FROM person")
        + keys
        + probes;
  }

  private static void fill(Connection client) throws SQLException {
    EncryptIT.run(
        client,
        "INSERT INTO person VALUES (1, '777', 'x@y', 'a note', 'Ulm'), (2, '778', 'y@y', NULL,"
            + " 'Bonn'), (3, '777', NULL, 'b', NULL)");
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void changesTablesAsThoseWithPlainColumns(Layout layout, DatabaseServers servers)
      throws SQLException {
    String[] seeds = System.getProperty("alter.seeds", "1,2").split(",", -1);
    var different = new ArrayList<String>();
    for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
      var random = new Random(seed);
      int taken = 0;
      try (Pair pair = new Pair(servers, layout, "it_encrypt_alter");
          Connection client = pair.client()) {
        fill(client);
        fill(pair.plain);
        for (int i = 0; i < STATEMENTS; i++) {
          String sql = drawn(random);
          Transcript got = Transcript.of(client, sql);
          if (got.head().contains("AB20")) {
            continue;
          }
          Transcript wanted = Transcript.of(pair.plain, sql);
          taken += got.isError() ? 0 : 1;
          String here = told(client);
          String there = told(pair.plain);
          if (got.isError() != wanted.isError() || !here.equals(there)) {
            different.add(
                seed + ": " + sql + "\n" + got + "\n" + wanted + "\n" + here + "\n" + there);
            break;
          }
        }
        assertThat(pair.stored()).noneMatch(cell -> cell.contains("a note"));
      }
      assertThat(different).isEmpty();
      assertThat(taken).as("of seed " + seed).isGreaterThan(TAKEN_AT_LEAST);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void refusesWhatWouldBeOtherwise(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_alter");
        Connection client = pair.client()) {
      fill(client);
      List<String> before = pair.stored();
      for (String sql : refused()) {
        assertThat(EncryptIT.refusal(client, sql)).as(sql).contains("AB207");
      }
      assertThat(pair.stored()).isEqualTo(before);
    }
  }
}
