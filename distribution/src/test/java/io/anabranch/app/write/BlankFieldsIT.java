package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose lines have no value for a column: it holds what it holds on one server. */
@Tag("both")
@Tag("long")
@ExtendWith(MariaDbServers.Resolver.class)
class BlankFieldsIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_blanks");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  /** A sharded table, and copies. */
  private static final List<String> TABLES = List.of("t_auto", "t_numbered");

  private static final List<String> LINES = List.of("1\t\\N\n2\t\\N\tx\n", "1\n2\n", "1\t\n");

  private static final List<String> SINGLE_LINES = List.of("1\t\\N\n", "1\n", "1\t\n");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TINYINT|5",
        "INT UNSIGNED|5",
        "DECIMAL(5,2)|1.5",
        "FLOAT|2",
        "DOUBLE|2",
        "BIT(3)|5",
        "YEAR|2001",
        "CHAR(3)|'x'",
        "VARCHAR(9)|'x'",
        "TEXT",
        "MEDIUMTEXT CHARACTER SET utf16",
        "BINARY(3)|'x'",
        "VARBINARY(9)|'x'",
        "LONGBLOB",
        "ENUM('a','b')|'b'",
        "ENUM('','b')|'b'",
        "SET('a','b')|'b'",
        "DATE|'2001-02-03'",
        "TIME(2)|'01:00:00'",
        "DATETIME|'2001-02-03'",
        "DATETIME(3)|'2001-02-03'",
        "TIMESTAMP|'2001-02-03'",
        "TIMESTAMP(3)|'2001-02-03'",
        "JSON",
        "GEOMETRY",
        "POINT",
        "UUID",
        "INET6"
      })
  void holdWhatOneServerStores(String type, @TempDir Path directory)
      throws SQLException, IOException {
    String[] parts = type.split("\\|");
    for (String table : TABLES) {
      fixture.same("DROP TABLE IF EXISTS " + table);
      for (String column : columns(parts)) {
        String definition =
            "CREATE TABLE " + table + " (id INT NOT NULL PRIMARY KEY, c " + column + ")";
        try (Connection direct = fixture.onPlain()) {
          if (Transcript.of(direct, definition).isError()) {
            // a type of other servers
            return;
          }
          Transcript.of(direct, "DROP TABLE " + table);
        }
        fixture.same(definition);
        // MariaDB does not count lines that a CHECK leaves out: the next one has the same number
        boolean isChecked = column.equals("JSON NOT NULL") && !DatabaseServers.areMySql();
        load(table, shown(parts[0]), isChecked ? SINGLE_LINES : LINES, directory);
        fixture.same("DROP TABLE " + table);
      }
    }
  }

  private static List<String> columns(String[] parts) {
    var columns = new ArrayList<>(List.of(parts[0] + " NULL", parts[0] + " NOT NULL"));
    if (parts.length > 1) {
      columns.add(parts[0] + " NULL DEFAULT " + parts[1]);
      columns.add(parts[0] + " NOT NULL DEFAULT " + parts[1]);
    }
    return columns;
  }

  /** An ENUM has an empty value besides its own; the moment is another one on each server. */
  private static String shown(String type) {
    return switch (type.split("[ (]", 2)[0]) {
      case "ENUM" -> "c + 0";
      case "TIMESTAMP" -> "IF(c > '2020-01-01', 'now', HEX(c))";
      default -> "HEX(c)";
    };
  }

  private static void load(String table, String shown, List<String> files, Path directory)
      throws SQLException, IOException {
    try (Connection proxied = fixture.throughProxy("allowLocalInfile=true");
        Connection direct = fixture.onPlain("allowLocalInfile=true")) {
      for (String mode : List.of("''", "'STRICT_TRANS_TABLES,NO_ZERO_DATE'")) {
        for (String lines : files) {
          Path file = directory.resolve("lines.txt");
          Files.writeString(file, lines);
          for (String verb : List.of("", "REPLACE")) {
            String load =
                "LOAD DATA LOCAL INFILE '%s' %s INTO TABLE %s (id, c)".formatted(file, verb, table);
            for (String sql :
                List.of(
                    "SET sql_mode = " + mode,
                    load,
                    "SELECT id, c IS NULL, " + shown + " FROM " + table + " ORDER BY id",
                    "DELETE FROM " + table)) {
              assertThat(told(Transcript.of(proxied, sql)))
                  .as("%s of %s under %s", sql, lines, mode)
                  .isEqualTo(told(Transcript.of(direct, sql)));
            }
          }
        }
      }
    }
  }

  /** Of a row as a whole nothing is said in the same order by all servers. */
  private static Transcript told(Transcript answer) {
    return new Transcript(answer.head().replaceAll("`\\w+`\\.`", "`"), answer.rows())
        .withSortedWarnings();
  }

  /** A number that databases make is made for what is no value. */
  @ParameterizedTest
  @ValueSource(strings = {"t_numbered", "t_one"})
  void numbersAreMade(String table, @TempDir Path directory) throws SQLException, IOException {
    Path file = directory.resolve("lines.txt");
    Files.writeString(file, "1\t\\N\n2\n3\t7\n4\t\n");
    for (String column : List.of("INT AUTO_INCREMENT", "INT NOT NULL AUTO_INCREMENT")) {
      fixture.same(
          "DROP TABLE IF EXISTS " + table,
          "CREATE TABLE " + table + " (id INT, c " + column + " PRIMARY KEY)");
      try (Connection proxied = fixture.throughProxy("allowLocalInfile=true");
          Connection direct = fixture.onPlain("allowLocalInfile=true")) {
        String load = "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE " + table + " (id, c)";
        for (Connection each : List.of(proxied, direct)) {
          assertThat(Transcript.of(each, load).head()).startsWith("affected 4");
        }
      }
      fixture.same("SELECT * FROM " + table + " ORDER BY id", "DROP TABLE " + table);
    }
  }
}
