package io.anabranch.app.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mariadb-dump} reads a sharded database, and {@code mariadb} writes it back. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class DumpIT {

  private static final String SCHEMA = "it_dump";
  private static final Path FILE = Path.of("target", "it-dump.sql");
  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, SCHEMA);
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      var statements = new ArrayList<>(fixture.rows());
      statements.add("CREATE VIEW v_new AS SELECT order_id, total FROM t_order WHERE total > 3");
      statements.add("CREATE VIEW v_conf AS SELECT v FROM t_conf");
      for (String sql : statements) {
        for (Connection each : List.of(direct, proxied)) {
          assertThat(Transcript.of(each, sql).isError()).as(sql).isFalse();
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--single-transaction",
        "--lock-all-tables",
        "--skip-lock-tables",
        "--order-by-primary --skip-extended-insert --complete-insert",
        "--routines --triggers --events --hex-blob --replace"
      })
  void whatIsDumpedComesBack(String options) throws Exception {
    var dump = new ArrayList<String>();
    Stream.of(options.split(" ")).filter(option -> !option.isEmpty()).forEach(dump::add);
    dump.add(SCHEMA);
    run("mariadb-dump", dump, null, FILE.toFile());
    assertThat(Files.readString(FILE, StandardCharsets.ISO_8859_1))
        .contains("CREATE TABLE `t_order`")
        .doesNotContain("t_order_0");
    try (Connection proxied = fixture.throughProxy();
        Statement statement = proxied.createStatement()) {
      statement.execute("DELETE FROM t_order WHERE order_id > 3");
      statement.execute("DROP TABLE t_item");
    }
    run("mariadb", List.of(SCHEMA), FILE.toFile(), new File("target", "it-dump.out"));
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      var contents = new ArrayList<>(WritesFixture.CONTENTS);
      contents.add("SELECT * FROM v_new ORDER BY 1");
      contents.add("SELECT * FROM v_conf ORDER BY 1");
      for (String sql : contents) {
        assertThat(Transcript.of(proxied, sql).rows())
            .as(sql)
            .isEqualTo(Transcript.of(direct, sql).rows());
      }
    }
  }

  /** What a dump file sets is the session's, not the pooled connection's. */
  @Test
  void settingsInVersionCommentsAreTheSessions() throws SQLException {
    String standard = timeZone();
    try (Connection proxied = fixture.throughProxy();
        Statement statement = proxied.createStatement()) {
      statement.execute("/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */");
      statement.execute("/*!40103 SET TIME_ZONE='+03:00' */");
      assertThat(timeZone(proxied)).isEqualTo("+03:00");
      statement.execute("/*!99999 SET TIME_ZONE='+05:00' */");
      assertThat(timeZone(proxied)).isEqualTo("+03:00");
      assertThat(timeZone()).isEqualTo(standard);
      statement.execute("/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */");
      assertThat(timeZone(proxied)).isEqualTo(standard);
    }
  }

  private static String timeZone() throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      return timeZone(proxied);
    }
  }

  private static String timeZone(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT @@time_zone FROM t_dict WHERE code = 1")) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static void run(String program, List<String> arguments, @Nullable File in, File out)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(find(program).toString());
    command.addAll(
        List.of(
            "--no-defaults",
            "--host=127.0.0.1",
            "--port=" + fixture.proxy.port(),
            "--user=" + RunningProxy.USER,
            "--password=" + RunningProxy.PASSWORD));
    command.addAll(arguments);
    Path errors = Path.of("target", "it-dump.err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out).redirectError(errors.toFile());
    if (in != null) {
      builder.redirectInput(in);
    }
    int code = builder.start().waitFor();
    assertThat(Files.readString(errors, StandardCharsets.UTF_8)).as("%s", command).isEmpty();
    assertThat(code).isZero();
  }

  private static Path find(String program) {
    for (String entry : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry, program);
      if (Files.isExecutable(path)) {
        return path;
      }
    }
    return fail(
        program + " is not on the PATH: install it (Debian: apt-get install mariadb-client)");
  }
}
