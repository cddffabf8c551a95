package io.anabranch.app.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.differential.Verdict.Outcome;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What once differed, over every layout: {@code src/test/resources/differential/*.sql}. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
@Tag("long")
class RegressionIT {

  private static final Path FILES = Path.of("src", "test", "resources", "differential");
  private static final List<String> TABLES = List.of("ta", "tb", "tc", "td", "ts");
  private static final List<String> VIEWS =
      List.of("va", "vb", "vc", "vd", "vg", "vn", "vs", "vu", "vx");

  @ParameterizedTest
  @EnumSource(names = "ENCRYPTED", mode = EnumSource.Mode.EXCLUDE)
  void staysMended(Layout layout, DatabaseServers servers) throws SQLException, IOException {
    try (Arena arena = Arena.start(servers, layout);
        Arena.Bout text = arena.bout(false);
        Arena.Bout binary = arena.bout(true);
        var files = Files.list(FILES)) {
      for (Path file : files.sorted().filter(RegressionIT::isOfThisServer).toList()) {
        replay(file, text, binary);
      }
    }
  }

  /** Files whose names begin with a server are of that one alone. */
  private static boolean isOfThisServer(Path file) {
    String other = DatabaseServers.areMySql() ? "mariadb-" : "mysql-";
    return !file.getFileName().toString().startsWith(other);
  }

  private static void replay(Path file, Arena.Bout text, Arena.Bout binary) throws IOException {
    for (String view : VIEWS) {
      Transcript.of(text.proxied(), "DROP VIEW " + view);
      Transcript.of(text.plain(), "DROP VIEW " + view);
    }
    for (String table : TABLES) {
      Transcript.of(text.proxied(), "DROP TABLE " + table);
      Transcript.of(text.plain(), "DROP TABLE " + table);
    }
    String sql =
        Files.readString(file)
            .lines()
            .filter(line -> !line.startsWith("--"))
            .reduce("", (all, line) -> all + line + "\n");
    for (String statement : Arrays.asList(sql.split(";\n", -1))) {
      if (statement.isBlank()) {
        continue;
      }
      boolean both =
          Stream.of("SELECT", "WITH", "SET @").anyMatch(each -> statement.strip().startsWith(each));
      Query whole = Query.of(statement, statement.contains("ORDER BY"));
      Verdict verdict = text.compare(whole);
      assertThat(verdict.outcome())
          .as("%s: %s\n%s", file, statement, verdict.detail())
          .isEqualTo(Outcome.SAME);
      if (both) {
        assertThat(binary.compare(whole)).as("%s, binary: %s", file, statement).isEqualTo(verdict);
      }
    }
  }
}
