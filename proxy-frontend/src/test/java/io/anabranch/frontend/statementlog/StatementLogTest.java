package io.anabranch.frontend.statementlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.ProxyProperties.LogForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatementLogTest {

  private static final LoggedStatement.Times TIMES =
      new LoggedStatement.Times(
          1_000_000, 500_000, 1_200_400, 200_600, 99_000, Map.of("ds_0", 1_200_400L));

  @TempDir Path folder;

  private static LoggedStatement statement(String sql, boolean showsLiterals) {
    byte[] bytes = sql.getBytes(UTF_8);
    byte[] normal =
        new SqlScanner()
            .scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan())
            .copyNormalForm();
    return new LoggedStatement(
        0,
        7,
        "app",
        "app",
        "127.0.0.1:5",
        "shop",
        StatementKind.SELECT,
        Lane.RELAY,
        Set.of("ds_0"),
        TIMES,
        2,
        0,
        0,
        showsLiterals ? bytes : normal,
        UTF_8,
        false,
        showsLiterals,
        true,
        null,
        null);
  }

  @Test
  void writesALineOfJsonForEach() throws IOException {
    Path path = folder.resolve("logs/slow.log");
    try (var log = new StatementLog(path, 10_000, 2, LogForm.JSON)) {
      log.log(statement("SELECT 'secret' FROM t WHERE id IN (1,2)", false));
      log.log(statement("SELECT \"a\\b\"\n\u0001", true));
    }
    assertThat(Files.readAllLines(path))
        .containsExactly(
            "{\"time\":\"1970-01-01T00:00:00.000Z\",\"session\":7,\"user\":\"app\","
                + "\"client\":\"127.0.0.1:5\",\"database\":\"shop\",\"kind\":\"select\","
                + "\"way\":\"relay\",\"data_sources\":\"ds_0\",\"total_ms\":3.000,"
                + "\"plan_ms\":1.000,\"lease_ms\":0.500,\"run_ms\":1.500,\"database_ms\":1.200,"
                + "\"merge_ms\":0.201,\"write_ms\":0.099,\"data_source_ms\":{\"ds_0\":1.200},\"rows_sent\":2,"
                + "\"rows_affected\":0,\"errno\":0,"
                + "\"sql_text\":\"SELECT ? FROM t WHERE id IN (?, ?)\"}",
            "{\"time\":\"1970-01-01T00:00:00.000Z\",\"session\":7,\"user\":\"app\","
                + "\"client\":\"127.0.0.1:5\",\"database\":\"shop\",\"kind\":\"select\","
                + "\"way\":\"relay\",\"data_sources\":\"ds_0\",\"total_ms\":3.000,"
                + "\"plan_ms\":1.000,\"lease_ms\":0.500,\"run_ms\":1.500,\"database_ms\":1.200,"
                + "\"merge_ms\":0.201,\"write_ms\":0.099,\"data_source_ms\":{\"ds_0\":1.200},\"rows_sent\":2,"
                + "\"rows_affected\":0,\"errno\":0,"
                + "\"sql_text\":\"SELECT \\\"a\\\\b\\\"\\n\\u0001\"}");
  }

  @Test
  void writesWhatProgramsForSlowLogsOfServersRead() throws IOException {
    Path path = folder.resolve("slow.log");
    try (var log = new StatementLog(path, 10_000, 2, LogForm.TEXT)) {
      log.log(statement("SELECT 'a'\n# Time: false", true));
    }
    assertThat(Files.readString(path))
        .isEqualTo(
            """
            # User@Host: app[app] @  [127.0.0.1]  Id: 7
            # Query_time: 0.003000  Lock_time: 0.000000  Rows_sent: 2  Rows_examined: 0  Rows_affected: 0  Errno: 0\
              Plan_time: 0.001000  Lease_time: 0.000500  Database_time: 0.001200  Merge_time: 0.000201\
              Write_time: 0.000099  ds_0_time: 0.001200  Way: relay
            use shop;
            SET timestamp=0;
            SELECT 'a'
             # Time: false;
            """);
  }

  @Test
  void writesPlansOfDatabases() throws IOException {
    LoggedStatement slow =
        statement("SELECT 1", true)
            .explained(
                new Explanation(
                    "ds_0",
                    List.of(
                        List.of("id", "table", "Extra"),
                        Arrays.asList("1", "a\tb", null),
                        List.of("2", "c", "Using where")),
                    0));
    LoggedStatement failed =
        statement("SELECT 2", true).explained(Explanation.failed("ds_1", 1146));
    Path lines = folder.resolve("slow.json");
    try (var log = new StatementLog(lines, 10_000, 2, LogForm.JSON)) {
      log.log(slow);
      log.log(failed);
    }
    assertThat(Files.readAllLines(lines))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(
                        ",\"explain\":{\"data_source\":\"ds_0\",\"rows\":[{\"id\":\"1\",\"table\":\"a\\tb\"},"
                            + "{\"id\":\"2\",\"table\":\"c\",\"Extra\":\"Using where\"}]},\"sql_text\":"),
            line ->
                assertThat(line)
                    .contains(
                        ",\"explain\":{\"data_source\":\"ds_1\",\"errno\":1146,\"rows\":[]},"));
    Path entries = folder.resolve("slow.text");
    try (var log = new StatementLog(entries, 10_000, 2, LogForm.TEXT)) {
      log.log(slow);
      log.log(failed);
    }
    assertThat(Files.readString(entries))
        .contains(
            """
            # Explained_by: ds_0
            # explain: id\ttable\tExtra
            # explain: 1\ta b\tNULL
            # explain: 2\tc\tUsing where
            use shop;
            """,
            "# Explained_by: ds_1\n# explain: error 1146\nuse shop;\n");
  }

  @Test
  void writesMoreThanABatch() throws IOException {
    Path path = folder.resolve("audit.log");
    var log = new StatementLog(path, 1 << 20, 2, LogForm.JSON);
    for (int i = 0; i < 1000; i++) {
      log.log(statement("SELECT " + i, i % 2 == 0));
    }
    log.close();
    assertThat(Files.readAllLines(path)).hasSize(1000);
    assertThat(Files.readAllLines(path).getLast()).endsWith("\"sql_text\":\"SELECT ?\"}");
    assertThat(log.written()).isEqualTo(1000);
    assertThat(log.dropped()).isZero();
  }

  @Test
  void whatTheDiskDoesNotTakeIsCounted() throws IOException {
    Path blocked = folder.resolve("blocked");
    Files.writeString(blocked, "a file where the folder is to be");
    var log = new StatementLog(blocked.resolve("slow.log"), 10_000, 2, LogForm.JSON);
    log.log(statement("SELECT 1", false));
    log.log(statement("SELECT 2", false));
    log.close();
    assertThat(log.dropped()).isEqualTo(2);
    assertThat(log.written()).isZero();
  }

  @Test
  void theLastOnesAreKept() {
    var recent = new RecentStatements();
    for (int i = 0; i < 1500; i++) {
      recent.add(statement("SELECT " + i, true));
    }
    assertThat(recent.all()).hasSize(1000);
    assertThat(recent.all().getFirst().text()).isEqualTo("SELECT 1499");
    recent.clear();
    assertThat(recent.all()).isEmpty();
  }
}
