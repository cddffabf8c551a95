package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.PreparedProbe;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prepared statements out of order, in number, and while tables change under them. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PreparedCommandsIT {

  private static final String SCHEMA = "it_prepared_commands";
  private static final byte PING = 0x0e;

  private static final int KEPT = 20;

  /** Some that tests beside this one may have. */
  private static final int OTHERS = 100;

  enum Way {
    PASSED,
    SHARDED
  }

  private static DatabaseServer plain;
  private static ShardedFixture sharded;
  private static RunningProxy passing;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    sharded = ShardedFixture.start(servers, SCHEMA);
    String source = RunningProxy.source("ds_0", plain, SCHEMA + "_plain");
    passing =
        RunningProxy.start(
            List.of("proxy-prepared-statements-per-connection: " + KEPT),
            "databaseName: " + SCHEMA + "\ndataSources:\n" + source + "rules: []\n");
  }

  @AfterAll
  static void stop() {
    sharded.close();
    passing.close();
  }

  private static int port(Way way) {
    return way == Way.PASSED ? passing.port() : sharded.proxy.port();
  }

  private static CommandProbe through(Way way) throws IOException {
    return new CommandProbe(port(way), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
  }

  private static CommandProbe direct() throws IOException {
    return new CommandProbe(
        plain.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, SCHEMA + "_plain");
  }

  // ---------------------------------------------------------------- out of order

  /** What a client does, and what it is told. */
  private interface Talk {
    List<String> with(CommandProbe client, PreparedProbe prepared) throws IOException;
  }

  private static void sameAnswers(Way way, Talk talk) throws IOException {
    try (CommandProbe proxied = through(way);
        CommandProbe server = direct()) {
      assertThat(talk.with(proxied, new PreparedProbe(proxied)))
          .isEqualTo(talk.with(server, new PreparedProbe(server)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotThereCannotBeUsed(Way way) throws IOException {
    sameAnswers(
        way,
        (client, prepared) -> {
          int closed = prepared.prepare("SELECT 1");
          int open = prepared.prepare("SELECT 2");
          prepared.close(closed);
          var answers = new ArrayList<String>();
          answers.add(prepared.execute(closed, false));
          answers.add(prepared.reset(closed));
          answers.add(prepared.fetch(closed, 1));
          answers.add(prepared.fetch(open, 1).replace("(" + open + ")", "(n)"));
          answers.add(prepared.execute(open, false));
          answers.add(prepared.fetch(open, 1).replace("(" + open + ")", "(n)"));
          prepared.close(closed);
          prepared.close(4711);
          answers.add(client.answer(PING));
          return answers;
        });
  }

  @ParameterizedTest
  @EnumSource
  void markersAreCountedInTwoBytes(Way way) throws IOException {
    String many = "DO 1 IN (?" + ", ?".repeat(0xFFFF) + ")";
    sameAnswers(
        way,
        (client, _) -> {
          var prepare = Unpooled.buffer().writeByte(0x16);
          prepare.writeCharSequence(many, StandardCharsets.US_ASCII);
          var command = new byte[prepare.readableBytes()];
          prepare.readBytes(command);
          return List.of(client.answer(command), client.answer(PING));
        });
  }

  @ParameterizedTest
  @EnumSource
  void longDataIsOfTheNextExecution(Way way) throws IOException {
    sameAnswers(
        way,
        (client, prepared) -> {
          int id = prepared.prepare("SELECT CONCAT('<', ?, '>')");
          var answers = new ArrayList<String>();
          longData(client, id, 0, "one ");
          longData(client, id, 0, "two");
          answers.add(executed(client, prepared, id));
          longData(client, id, 0, "three");
          answers.add(prepared.reset(id));
          longData(client, id, 0, "four");
          answers.add(executed(client, prepared, id));
          longData(client, 4711, 0, "of nobody");
          answers.add(client.answer(PING));
          longData(client, id, 0, "");
          answers.add(executed(client, prepared, id));
          return answers;
        });
  }

  @ParameterizedTest
  @EnumSource
  void longDataOfNoParameterFailsTheExecution(Way way) throws IOException {
    assumeFalse(DatabaseServers.areMySql(), "MySQL names another of its functions");
    sameAnswers(
        way,
        (client, prepared) -> {
          int id = prepared.prepare("SELECT CONCAT('<', ?, '>')");
          longData(client, id, 7, "lost");
          longData(client, id, 0, "kept");
          String failed = executed(client, prepared, id);
          String again = prepared.reset(id);
          longData(client, id, 0, "kept");
          return List.of(failed, again, executed(client, prepared, id), client.answer(PING));
        });
  }

  private static void longData(CommandProbe client, int id, int parameter, String text)
      throws IOException {
    ByteBuf command = Unpooled.buffer().writeByte(0x18).writeIntLE(id).writeShortLE(parameter);
    send(client, command.writeBytes(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** With one parameter, whose value has been sent. */
  private static String executed(CommandProbe client, PreparedProbe prepared, int id)
      throws IOException {
    ByteBuf command = Unpooled.buffer().writeByte(0x17).writeIntLE(id).writeByte(0);
    send(client, command.writeIntLE(1).writeByte(0).writeByte(1).writeShortLE(0xFB));
    return prepared.answer();
  }

  private static void send(CommandProbe client, ByteBuf command) throws IOException {
    byte[] bytes = new byte[command.readableBytes()];
    command.readBytes(bytes);
    client.send(bytes);
  }

  /** By which drivers' tests see what they keep. */
  @ParameterizedTest
  @EnumSource
  void areCounted(Way way) throws IOException {
    sameAnswers(
        way,
        (client, prepared) -> {
          int one = prepared.prepare("SELECT 1 UNION SELECT 2");
          int other = prepared.prepare("SELECT CONCAT('<', ?, '>')");
          prepared.execute(one, false);
          prepared.execute(one, true);
          prepared.fetch(one, 1);
          prepared.reset(one);
          longData(client, other, 0, "text");
          executed(client, prepared, other);
          prepared.close(one);
          prepared.close(4711);
          prepared.query("PREPARE named FROM 'DO 1'");
          prepared.query("EXECUTE named");
          int status = prepared.prepare("SHOW SESSION STATUS LIKE 'Com\\_stmt\\_%'");
          return List.of(prepared.execute(status, false));
        });
  }

  // ---------------------------------------------------------------- in number

  @ParameterizedTest
  @EnumSource
  void databasesKeepNoMoreThanALimit(Way way) throws SQLException {
    long before = prepared();
    try (Connection connection =
        RunningProxy.Driver.MARIADB.connect(
            port(way),
            SCHEMA,
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            "useServerPrepStmts=true",
            "cachePrepStmts=false")) {
      var statements = new ArrayList<PreparedStatement>();
      for (int i = 0; i < 1000; i++) {
        PreparedStatement each = connection.prepareStatement("SELECT ? + " + i);
        statements.add(each);
        assertThat(sum(each, i)).isEqualTo(2 * i);
      }
      int kept = way == Way.PASSED ? KEPT : ProxyProperties.DEFAULTS.statementsPerConnection();
      assertThat(prepared()).isLessThan(before + 2L * kept + OTHERS);
      // what the database has forgotten is prepared again
      for (int i = 0; i < 1000; i += 100) {
        assertThat(sum(statements.get(i), 1)).isEqualTo(i + 1);
      }
      for (PreparedStatement each : statements) {
        each.close();
      }
    }
  }

  private static int sum(PreparedStatement statement, int value) throws SQLException {
    statement.setInt(1, value);
    try (ResultSet row = statement.executeQuery()) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  private static long prepared() {
    return Long.parseLong(
        plain.queryOne(
            "SELECT variable_value FROM "
                + (DatabaseServers.areMySql() ? "performance_schema" : "information_schema")
                + ".global_status WHERE variable_name = 'PREPARED_STMT_COUNT'"));
  }

  // ---------------------------------------------------------------- while tables change

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM t_order WHERE user_id = 1 AND order_id = 1",
          "SELECT * FROM t_order ORDER BY order_id",
          "SELECT note, COUNT(*) FROM t_order GROUP BY note ORDER BY note");

  private static final List<String> CHANGES =
      List.of(
          "ALTER TABLE t_order ADD COLUMN extra INT DEFAULT 5",
          "ALTER TABLE t_order MODIFY note VARCHAR(40) NOT NULL",
          "ALTER TABLE t_order DROP COLUMN extra, ADD COLUMN first TEXT FIRST",
          "ALTER TABLE t_order MODIFY note INT",
          "DROP TABLE t_order",
          "CREATE TABLE t_order (user_id INT, note INT, order_id BIGINT)",
          "INSERT INTO t_order VALUES (1, 7, 1)");

  @ParameterizedTest
  @EnumSource
  void tablesChangeUnderPreparedStatements(Way way) throws SQLException {
    for (String protocol : List.of("useServerPrepStmts=true", "useServerPrepStmts=false")) {
      List<String> proxied;
      List<String> server;
      try (Connection connection = open(way, protocol);
          Connection other = open(way)) {
        proxied = changed(connection, other);
      }
      try (Connection connection = sharded.onPlain(protocol);
          Connection other = sharded.onPlain()) {
        server = changed(connection, other);
      }
      assertThat(proxied).as(protocol).isEqualTo(server);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"useServerPrepStmts=true", "useServerPrepStmts=false"})
  void tablesChangeBehindTheProxy(String protocol) throws SQLException {
    List<String> proxied;
    try (Connection connection = open(Way.PASSED, protocol);
        Connection other = sharded.onPlain()) {
      proxied = changed(connection, other);
    }
    try (Connection connection = sharded.onPlain(protocol);
        Connection other = sharded.onPlain()) {
      assertThat(proxied).isEqualTo(changed(connection, other));
    }
  }

  private static Connection open(Way way, String... options) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        port(way), SCHEMA, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  /** What the statements answer after each change, by their own connection and by another. */
  private static List<String> changed(Connection connection, Connection other) throws SQLException {
    var answers = new ArrayList<String>();
    try (Statement own = connection.createStatement();
        Statement others = other.createStatement()) {
      own.execute("DROP TABLE IF EXISTS t_order");
      own.execute(
          "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT, note VARCHAR(20))");
      own.execute("INSERT INTO t_order VALUES (1, 1, '1'), (2, 2, '2'), (3, 1, '3')");
      var prepared = new ArrayList<PreparedStatement>();
      for (String query : QUERIES) {
        prepared.add(connection.prepareStatement(query));
      }
      addAnswers(prepared, answers);
      for (int i = 0; i < CHANGES.size(); i++) {
        (i % 2 == 0 ? own : others).execute(CHANGES.get(i));
        addAnswers(prepared, answers);
      }
      for (PreparedStatement each : prepared) {
        each.close();
      }
    }
    return answers;
  }

  private static void addAnswers(List<PreparedStatement> prepared, List<String> answers) {
    for (PreparedStatement each : prepared) {
      answers.add(answer(each));
    }
  }

  private static String answer(PreparedStatement statement) {
    try (ResultSet rows = statement.executeQuery()) {
      ResultSetMetaData columns = rows.getMetaData();
      var text = new StringJoiner("|");
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        text.add(columns.getColumnLabel(i) + " " + columns.getColumnTypeName(i));
      }
      while (rows.next()) {
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          text.add(String.valueOf(rows.getObject(i)));
        }
      }
      return text.toString();
    } catch (SQLException e) {
      return "error " + e.getErrorCode();
    }
  }
}
