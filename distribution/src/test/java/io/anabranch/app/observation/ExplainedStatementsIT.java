package io.anabranch.app.observation;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Slow statements with the plan of the database that took longest. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ExplainedStatementsIT {

  private static final String SCHEMA = "it_explained";

  @TempDir private static Path folder;
  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture =
        ShardedFixture.start(
            servers,
            SCHEMA,
            ShardedFixture.HALVES,
            List.of(),
            "proxy-slow-log-threshold-milliseconds: 0",
            "proxy-slow-log-explain-per-minute: 600",
            "proxy-slow-log-file: '" + folder.resolve("slow.log") + "'");
    try (Connection client = connect()) {
      run(
          client,
          "CREATE TABLE f (id INT PRIMARY KEY, name VARCHAR(20), KEY by_name (name))",
          "INSERT INTO f VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
          "CREATE TABLE calls (n INT)",
          "CREATE TABLE other (n INT)",
          "INSERT INTO other VALUES (1)",
          "CREATE FUNCTION called() RETURNS INT DETERMINISTIC MODIFIES SQL DATA"
              + " BEGIN INSERT INTO calls VALUES (1); RETURN 1; END");
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static Connection connect(String... options) throws SQLException {
    return fixture.proxy.connect(SCHEMA, options);
  }

  private static void run(Connection client, String... statements) throws SQLException {
    try (Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The entries of a statement, those with a plan. */
  private static List<String> plans(String like) {
    try (Connection client = connect()) {
      return column(
          client,
          "SELECT CONCAT(explained_by, ' ', explanation) FROM anabranch.slow_statements"
              + " WHERE kind = 'select' AND sql_text LIKE '%"
              + like
              + "%' AND sql_text NOT LIKE '%slow\\_statements%' AND explained_by IS NOT NULL");
    } catch (SQLException failure) {
      throw new AssertionError(failure);
    }
  }

  private static String plan(String like) {
    Eventually.holds("a plan of " + like, () -> !plans(like).isEmpty());
    assertThat(plans(like)).hasSize(1);
    return plans(like).getFirst();
  }

  @Test
  void oneTarget() throws SQLException {
    try (Connection client = connect()) {
      run(
          client,
          "SELECT name AS one FROM f WHERE id = 3",
          "SELECT name AS one FROM f WHERE id = 1");
    }
    assertThat(plan("AS one"))
        .startsWith("ds_1 id\tselect_type\ttable\t")
        .containsPattern("\n1\tSIMPLE\tf\t(.*\t)?const\tPRIMARY\tPRIMARY\t4\tconst\t1\t");
  }

  @Test
  void severalTargets() throws SQLException {
    try (Connection client = connect()) {
      run(client, "SELECT name AS many, COUNT(*) FROM f WHERE name > 'a' GROUP BY name");
    }
    assertThat(plan("AS many"))
        .matches("(?s)ds_[01] id\t.*")
        .containsPattern("\n1\tSIMPLE\tf\t.*\tby_name\t.*");
  }

  @Test
  void preparedStatements() throws SQLException {
    try (Connection client = connect("useServerPrepStmts=true");
        PreparedStatement one =
            client.prepareStatement("SELECT id AS bound FROM f WHERE name = ? AND id = ?")) {
      one.setString(1, "b");
      one.setInt(2, 2);
      one.executeQuery().close();
    }
    assertThat(plan("AS bound"))
        .startsWith("ds_0 id\t")
        .containsPattern("\n1\tSIMPLE\tf\t(.*\t)?const\tPRIMARY.*");
  }

  @Test
  void theLogHasThemToo() throws SQLException {
    try (Connection client = connect()) {
      run(client, "SELECT name AS logged FROM f WHERE id = 4");
    }
    Eventually.holds(
        "the entry",
        () ->
            lines().stream()
                .anyMatch(
                    line ->
                        line.contains("AS logged")
                            && line.contains(
                                "\"explain\":{\"data_source\":\"ds_0\",\"rows\":[{\"id\":\"1\",\"select_type\":\"SIMPLE\"")));
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(folder.resolve("slow.log"));
    } catch (IOException notYet) {
      return List.of();
    }
  }

  @Test
  void whatMayChangeSomethingIsNotAskedAbout() throws SQLException {
    try (Connection client = connect()) {
      run(
          client,
          "SELECT called() AS effect",
          "SELECT 1 AS effect FROM other WHERE n = called()",
          "UPDATE f SET name = 'effect' WHERE id = 1",
          "CREATE TEMPORARY TABLE hidden (n INT)",
          "SELECT 'effect' FROM hidden",
          "DROP TEMPORARY TABLE hidden",
          "SELECT name AS last FROM f WHERE id = 1");
      List<String> called = column(client, "SELECT COUNT(*) FROM calls");
      plan("AS last");
      assertThat(plans("effect")).isEmpty();
      assertThat(plans("hidden")).isEmpty();
      assertThat(column(client, "SELECT COUNT(*) FROM calls")).isEqualTo(called);
    }
  }
}
