package io.anabranch.app.session;

import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the proxy remembers of a text is remembered with all that the text's meaning depends on:
 * each text in each state of a session, behind each other state, answers as on the server itself.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class SessionMemosIT {

  private static final String A = "it_memo_a";
  private static final String B = "it_memo_b";

  private static final List<String> DATABASES =
      List.of("USE " + A, "USE information_schema", "USE " + B);

  private static final List<String> STATES =
      List.of(
          "USE " + A,
          "USE information_schema",
          "USE " + B,
          "SET sql_mode = 'ANSI_QUOTES'",
          "SET sql_mode = 'PIPES_AS_CONCAT'",
          "SET div_precision_increment = 9",
          "SET time_zone = '+07:00'",
          "SET lc_time_names = 'de_DE', default_week_format = 4",
          "SET group_concat_max_len = 5",
          "SET @x = 'd'",
          "SET @x = 7",
          "SET sql_mode = '', div_precision_increment = 4, time_zone = 'SYSTEM'",
          "SET NAMES utf8mb4, lc_time_names = 'en_US', group_concat_max_len = 1024,"
              + " default_week_format = 0");

  private static final List<String> TEXTS =
      List.of(
          "SELECT DATABASE()",
          "SELECT CONCAT(SCHEMA(), '!') x",
          "SELECT 1 FROM DUAL WHERE DATABASE() = '" + A + "'",
          "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"
              + " AND table_name = 't'",
          "SELECT table_name FROM information_schema.columns WHERE table_schema = SCHEMA()"
              + " AND column_name = 'v' ORDER BY 1",
          "SELECT v FROM t",
          "SELECT 'a' || 'b' x",
          "SELECT \"v\" x",
          "SELECT 1 / 3",
          "SELECT FROM_UNIXTIME(86400), UNIX_TIMESTAMP('2020-01-01 00:00:00')",
          "SELECT COLLATION('x'), CHARSET('x')",
          "SELECT DAYNAME('2024-01-01'), DATE_FORMAT('2024-03-01', '%M')",
          "SELECT WEEK('2024-01-01'), WEEK(d) FROM (SELECT DATE'2024-01-01' d) x",
          "SELECT GROUP_CONCAT(column_name) FROM information_schema.columns"
              + " WHERE table_schema = '"
              + A
              + "' AND table_name = 't'",
          "SELECT @x, 'A' = 'a'");

  /** How a text is run. */
  enum Form {
    TEXT,
    PREPARED,
    TEXT_IN_TRANSACTION,
    PREPARED_IN_TRANSACTION;

    boolean isPrepared() {
      return this == PREPARED || this == PREPARED_IN_TRANSACTION;
    }

    boolean isInTransaction() {
      return this == TEXT_IN_TRANSACTION || this == PREPARED_IN_TRANSACTION;
    }
  }

  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    var databases = new ArrayList<String>();
    for (String schema : List.of(A, B)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (v VARCHAR(20), only_" + schema + " INT)",
          "INSERT INTO " + schema + ".t VALUES ('of " + schema + "', 1)");
      databases.add(
          """
          databaseName: %s
          dataSources:
            ds_0: { url: "%s", username: %s, password: %s, maxPoolSize: 4, minPoolSize: 1 }
          rules: []
          """
              .formatted(schema, server.url(schema), MariaDbServer.USER, MariaDbServer.PASSWORD));
    }
    proxy = RunningProxy.start(List.of(), databases.toArray(String[]::new));
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, A));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource
  void eachTextInEachStateBehindEachOther(Form form) throws SQLException {
    String[] options = form.isPrepared() ? new String[] {"useServerPrepStmts=true"} : new String[0];
    try (Connection direct =
            RunningProxy.Driver.MARIADB.connect(
                server.port(), A, MariaDbServer.USER, MariaDbServer.PASSWORD, options);
        Connection through = proxy.connect(A, options)) {
      if (form.isInTransaction()) {
        run(direct, "BEGIN");
        run(through, "BEGIN", "SELECT v FROM t");
      }
      for (String first : STATES) {
        for (String second : form.isInTransaction() ? DATABASES : STATES) {
          run(direct, first, second);
          run(through, first, second);
          assertThat(answers(through, form))
              .as(first + "; " + second)
              .isEqualTo(answers(direct, form));
        }
      }
    }
  }

  /** Plans are shared by sessions: one that is in no database finds those of one that is. */
  @ParameterizedTest
  @EnumSource(names = {"TEXT", "PREPARED"})
  void withoutDatabase(Form form) throws SQLException {
    String[] options = form.isPrepared() ? new String[] {"useServerPrepStmts=true"} : new String[0];
    try (Connection direct =
            RunningProxy.Driver.MARIADB.connect(
                server.port(), "", MariaDbServer.USER, MariaDbServer.PASSWORD, options);
        Connection inside = proxy.connect(A, options);
        Connection through = proxy.connect("", options)) {
      for (String text : List.of(TEXTS.get(0), TEXTS.get(1), TEXTS.get(2), TEXTS.get(3))) {
        answer(inside, text, form);
        assertThat(answer(through, text, form)).as(text).isEqualTo(answer(direct, text, form));
        answer(inside, text, form);
      }
    }
  }

  private static List<String> answers(Connection connection, Form form) {
    return TEXTS.stream().map(text -> answer(connection, text, form)).toList();
  }

  private static String answer(Connection connection, String text, Form form) {
    try {
      if (form.isPrepared()) {
        try (PreparedStatement prepared = connection.prepareStatement(text);
            ResultSet rows = prepared.executeQuery()) {
          return text + " -> " + rows(rows);
        }
      }
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(text)) {
        return text + " -> " + rows(rows);
      }
    } catch (SQLException refused) {
      return text + " -> error " + refused.getErrorCode();
    }
  }

  private static String rows(ResultSet rows) throws SQLException {
    var all = new StringBuilder();
    while (rows.next()) {
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        all.append(rows.getString(i)).append(',');
      }
      all.append(';');
    }
    return all.toString();
  }
}
