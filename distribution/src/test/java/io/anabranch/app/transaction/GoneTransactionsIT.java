package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.column;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No client goes on in a transaction that is gone: whatever takes a transaction away, a client that
 * heeds no error commits all of it or nothing of it, and is told at its end if it was nothing.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class GoneTransactionsIT {

  private static final String LONG_TEXT = "'" + "x".repeat(17 << 20) + "'";

  /** How it was begun. */
  enum Mode {
    BEGIN("LOCAL", "BEGIN"),
    IMPLIED("LOCAL", "SET autocommit = 0"),
    SAVEPOINT("LOCAL", "BEGIN"),
    XA("XA", "BEGIN"),
    XA_IMPLIED("XA", "SET autocommit = 0");

    private final String type;
    private final String begins;

    Mode(String type, String begins) {
      this.type = type;
      this.begins = begins;
    }

    void begin(Connection connection) throws SQLException {
      run(connection, "SET transaction_type = '" + type + "'", begins);
      if (this == SAVEPOINT) {
        run(connection, "SAVEPOINT a");
      }
    }

    /** Else SET autocommit=1 changes nothing and ends nothing. */
    boolean isImplied() {
      return this == IMPLIED || this == XA_IMPLIED;
    }
  }

  /** Which way its statements go. */
  enum Lane {
    RELAY("id = 2", "id = 4"),
    MERGE("id IN (2, 3)", "id IN (4, 5)");

    private final String first;
    private final String second;

    Lane(String first, String second) {
      this.first = first;
      this.second = second;
    }
  }

  /** What comes in between. */
  enum Way {
    KILLED,
    KILLED_WITHIN,
    TIMED_OUT,
    TOO_LONG,
    DUPLICATE_KEY
  }

  /** How the client ends it. */
  enum End {
    COMMIT("COMMIT"),
    ROLLBACK("ROLLBACK"),
    DEFINITION("ALTER TABLE account COMMENT 'a'"),
    AUTOCOMMIT("SET autocommit = 1"),
    LOCK("LOCK TABLES account WRITE");

    private final String statement;

    End(String statement) {
      this.statement = statement;
    }
  }

  private static XaFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = XaFixture.start(servers, "it_gone");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  static Stream<Arguments> all() {
    var all = new ArrayList<Arguments>();
    for (Mode mode : Mode.values()) {
      for (Lane lane : Lane.values()) {
        for (Way way : Way.values()) {
          boolean isSlow = way == Way.TIMED_OUT || way == Way.TOO_LONG || way == Way.KILLED_WITHIN;
          for (End end : isSlow ? List.of(End.COMMIT) : List.of(End.values())) {
            if (end == End.AUTOCOMMIT && !mode.isImplied()) {
              continue;
            }
            all.add(Arguments.of(mode, lane, way, end));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("all")
  void allOrNothing(Mode mode, Lane lane, Way way, End end) throws Exception {
    fixture.accounts(2, 4);
    boolean ended;
    try (Connection mine = fixture.connect()) {
      if (way == Way.TIMED_OUT) {
        run(mine, "SET wait_timeout = 1");
      }
      mode.begin(mine);
      run(mine, "UPDATE account SET balance = 90 WHERE " + lane.first);
      comes(way, mine);
      for (int i = 0; i < 2; i++) {
        succeeds(mine, "UPDATE account SET balance = 90 WHERE " + lane.second);
      }
      ended = succeeds(mine, end.statement);
      if (!ended && way != Way.TIMED_OUT) {
        run(mine, "ROLLBACK");
      }
      if (way != Way.TIMED_OUT) {
        run(mine, "UNLOCK TABLES", "SET autocommit = 1");
        run(mine, "BEGIN", "UPDATE account SET balance = balance WHERE id IN (2, 3)", "COMMIT");
      }
    }
    boolean isKept = ended && end != End.ROLLBACK;
    try (Connection other = fixture.connect()) {
      List<String> changed = column(other, "SELECT id FROM account WHERE balance = 90 ORDER BY id");
      assertThat(changed)
          .isEqualTo(
              isKept
                  ? column(
                      other,
                      "SELECT id FROM account WHERE "
                          + lane.first
                          + " OR "
                          + lane.second
                          + " ORDER BY id")
                  : List.of());
    }
  }

  /** What is as long as the server's limit is refused before it is sent: nothing is lost. */
  @Test
  void tooLongAtTheLimit() throws SQLException {
    fixture.accounts(2, 4);
    int limit = Integer.parseInt(server().queryOne("SELECT @@max_allowed_packet"));
    String head = "UPDATE account SET balance = balance + 0 * LENGTH('";
    String tail = "') WHERE " + Lane.RELAY.first;
    try (Connection mine = fixture.connect()) {
      run(mine, "BEGIN", "UPDATE account SET balance = 90 WHERE " + Lane.RELAY.first);
      for (int missing : new int[] {1, 0, 2}) {
        // one byte more is the command's
        int letters = limit - missing - 1 - head.length() - tail.length();
        String sql = head + "x".repeat(letters) + tail;
        assertThat(succeeds(mine, sql)).as(missing + " bytes left").isEqualTo(missing > 0);
      }
      run(mine, "UPDATE account SET balance = 90 WHERE " + Lane.RELAY.second, "COMMIT");
    }
    assertThat(fixture.balances()).contains("90").hasSize(4);
  }

  private static boolean succeeds(Connection connection, String sql) {
    try {
      run(connection, sql);
      return true;
    } catch (SQLException told) {
      return false;
    }
  }

  private static void comes(Way way, Connection mine) throws Exception {
    switch (way) {
      case KILLED -> threads("command <> ''").forEach(GoneTransactionsIT::kill);
      case KILLED_WITHIN -> {
        var failing =
            CompletableFuture.supplyAsync(
                () -> succeeds(mine, "UPDATE account SET balance = SLEEP(60) WHERE id = 4"),
                command -> Thread.ofVirtual().start(command));
        Eventually.holds("it sleeps", () -> !threads("state = 'User sleep'").isEmpty());
        threads("state = 'User sleep'").forEach(GoneTransactionsIT::kill);
        assertThat(failing.join()).isFalse();
      }
      case TIMED_OUT ->
          Eventually.holds("no transaction is open", () -> !fixture.hasTransactions(server()));
      case TOO_LONG ->
          assertThat(succeeds(mine, "UPDATE account SET balance = " + LONG_TEXT + " WHERE id = 4"))
              .isFalse();
      case DUPLICATE_KEY ->
          assertThat(succeeds(mine, "INSERT INTO account VALUES (4, 0)")).isFalse();
    }
  }

  private static MariaDbServer server() {
    return fixture.first();
  }

  private static List<String> threads(String condition) {
    return server()
        .queryOne(
            "SELECT IFNULL(GROUP_CONCAT(id SEPARATOR '\\n'), '') FROM"
                + " information_schema.processlist WHERE db = 'it_gone' AND "
                + condition)
        .lines()
        .toList();
  }

  private static void kill(String thread) {
    server().execute("KILL CONNECTION " + thread);
  }
}
