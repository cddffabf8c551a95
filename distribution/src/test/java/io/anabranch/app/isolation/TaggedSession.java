package io.anabranch.app.isolation;

import com.mysql.cj.jdbc.JdbcConnection;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A session whose variables, tables, statements and rows all have tags that no other's have, and
 * that knows what it must see. Where it is interrupted it begins again on a new connection; its
 * rows stay.
 */
final class TaggedSession {

  private static final int ROOM = 1_000_000;
  private static final int QUERY_INTERRUPTED = 1317;
  private static final List<String> CHARSETS = List.of("utf8mb4", "latin1", "cp1251");

  private final int port;
  private final int number;
  private final Random random;
  private final Neighbours neighbours;

  /** Tags of its rows by id: those whose write was acknowledged. */
  private final Map<Long, Long> rows = new TreeMap<>();

  /** Rows of which it was not told whether they were written. */
  private final TreeSet<Long> perhaps = new TreeSet<>();

  private long tags;
  private int done;

  // of the present connection
  private @Nullable Long variable;
  private @Nullable Long temporary;
  private String database = "sharded";
  private String charset = "utf8mb4";
  private final Map<Long, PreparedStatement> prepared = new TreeMap<>();

  /**
   * @param number its own, from 0
   */
  TaggedSession(int port, int number, long seed, Neighbours neighbours) {
    this.port = port;
    this.number = number;
    this.random = new Random(seed + number);
    this.neighbours = neighbours;
    this.tags = (number + 1L) * ROOM;
  }

  /** Steps that were not interrupted. */
  int done() {
    return done;
  }

  void run(int steps) {
    int left = steps;
    while (left > 0) {
      try (Connection connection = connect()) {
        fresh(connection);
        boolean isOpen = true;
        while (isOpen && left > 0) {
          left--;
          isOpen = step(connection);
          done++;
        }
      } catch (SQLException interrupted) {
        if (!isInterruption(interrupted)) {
          neighbours.saw(this + ": " + interrupted);
          return;
        }
      } finally {
        left();
      }
    }
  }

  /** Killed, or gone by its own will. */
  private static boolean isInterruption(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return e.getErrorCode() == QUERY_INTERRUPTED || state.startsWith("08") || isKilled(e);
  }

  private static boolean isKilled(SQLException e) {
    return e.getErrorCode() == 1927 || e.getErrorCode() == 3169;
  }

  private Connection connect() throws SQLException {
    Driver driver = isMySql() ? Driver.MYSQL : Driver.MARIADB;
    String[] options = number % 4 < 2 ? driver.serverPrepare() : new String[0];
    return driver.connect(port, "sharded", RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  private boolean isMySql() {
    return number % 2 == 1;
  }

  /** Nothing is there of former connections, its own or others'. */
  private void fresh(Connection connection) throws SQLException {
    neighbours.connected(number, Long.parseLong(one(connection, "SELECT CONNECTION_ID()")));
    begin();
    expect("null", one(connection, "SELECT @mine"), "a variable");
    execute(connection, "SET NAMES " + charset);
  }

  private void begin() {
    unbind();
    variable = null;
    database = "sharded";
    charset = "utf8mb4";
    prepared.clear();
  }

  private void unbind() {
    if (temporary != null) {
      temporary = null;
      neighbours.unbound();
    }
  }

  private void left() {
    neighbours.gone(number);
    begin();
  }

  /** False if the connection is no more. */
  private boolean step(Connection connection) throws SQLException {
    int which = random.nextInt(20);
    switch (which) {
      case 0, 1 -> {
        long tag = ++tags;
        execute(connection, "SET @mine = " + tag);
        variable = tag;
      }
      case 2, 3 -> expect(String.valueOf(variable), one(connection, "SELECT @mine"), "a variable");
      case 4 -> temporary(connection);
      case 5 -> use(connection, random.nextBoolean() ? "sharded" : "plain");
      case 6 -> {
        charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
        execute(connection, "SET NAMES " + charset);
      }
      case 7 -> expect(charset, one(connection, "SELECT @@character_set_client"), "a charset");
      case 8 -> expect(database, one(connection, "SELECT DATABASE()"), "a database");
      case 9, 10 -> prepared(connection);
      case 11, 12 -> write(connection);
      case 13, 14 -> readAll(connection);
      case 15 -> rolledBack(connection);
      case 16 -> kill(connection);
      case 17 -> reset(connection);
      default -> {
        return vanish(connection, which == 18);
      }
    }
    return true;
  }

  /** Temporary tables stay on their server: who leaves it looks at its own and drops it. */
  private void use(Connection connection, String name) throws SQLException {
    if (temporary != null && !name.equals(database)) {
      temporary(connection);
    }
    execute(connection, "USE " + name);
    database = name;
  }

  /** Makes one, or looks at it and drops it. */
  private void temporary(Connection connection) throws SQLException {
    Long tag = temporary;
    if (tag == null) {
      use(connection, "plain");
      if (neighbours.mayBind()) {
        temporary = ++tags;
        execute(connection, "CREATE TEMPORARY TABLE mine (tag BIGINT)");
        execute(connection, "INSERT INTO mine VALUES (" + temporary + ")");
      }
    } else {
      expect(tag.toString(), one(connection, "SELECT GROUP_CONCAT(tag) FROM mine"), "a table");
      execute(connection, "DROP TEMPORARY TABLE mine");
      unbind();
    }
  }

  /** Some of another database, which none runs that is bound by temporary tables. */
  private void prepared(Connection connection) throws SQLException {
    if (temporary != null) {
      temporary(connection);
    }
    if (prepared.size() < 5) {
      long tag = ++tags;
      prepared.put(tag, connection.prepareStatement("SELECT " + tag + " + ?"));
    }
    for (Map.Entry<Long, PreparedStatement> each : prepared.entrySet()) {
      int more = random.nextInt(100);
      each.getValue().setInt(1, more);
      try (ResultSet result = each.getValue().executeQuery()) {
        result.next();
        expect(Long.toString(each.getKey() + more), result.getString(1), "a statement");
      }
    }
  }

  /** A row on one database, another on the other. */
  private void write(Connection connection) throws SQLException {
    use(connection, "sharded");
    for (int i = 0; i < 2; i++) {
      long tag = ++tags;
      perhaps.add(tag);
      execute(connection, "INSERT INTO own VALUES (%d, %d, %d)".formatted(tag, number, tag));
      perhaps.remove(tag);
      rows.put(tag, tag);
    }
  }

  /** Its rows over both databases, and one of one. */
  private void readAll(Connection connection) throws SQLException {
    use(connection, "sharded");
    var seen = new TreeMap<Long, Long>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT id, tag, owner FROM own WHERE owner = " + number + " ORDER BY id")) {
      while (result.next()) {
        seen.put(result.getLong(1), result.getLong(2));
        expect(Integer.toString(number), result.getString(3), "a row");
      }
    }
    seen.keySet().removeAll(perhaps);
    expect(rows.toString(), seen.toString(), "rows");
    if (!rows.isEmpty()) {
      var ids = new ArrayList<>(rows.keySet());
      long id = ids.get(random.nextInt(ids.size()));
      expect(Long.toString(id), one(connection, "SELECT tag FROM own WHERE id = " + id), "a row");
    }
  }

  /** Changes that nobody may see, it neither. */
  private void rolledBack(Connection connection) throws SQLException {
    use(connection, "sharded");
    execute(connection, "BEGIN");
    for (long id : rows.keySet()) {
      execute(connection, "UPDATE own SET tag = -1 WHERE id = " + id);
    }
    execute(connection, "ROLLBACK");
    readAll(connection);
  }

  private void kill(Connection connection) throws SQLException {
    Long victim = neighbours.anybody(random);
    if (victim != null) {
      try {
        execute(connection, (random.nextInt(3) == 0 ? "KILL " : "KILL QUERY ") + victim);
      } catch (SQLException e) {
        // it may have gone meanwhile
        if (e.getErrorCode() != 1094) {
          throw e;
        }
      }
    }
  }

  /** As pools do before they give a connection to somebody else. */
  private void reset(Connection connection) throws SQLException {
    if (!isMySql()) {
      return;
    }
    var own = connection.unwrap(JdbcConnection.class);
    if (random.nextBoolean()) {
      own.changeUser(RunningProxy.USER, RunningProxy.PASSWORD);
    } else {
      own.resetServerState();
    }
    fresh(connection);
    use(connection, "plain");
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT tag FROM mine");
      neighbours.saw(this + ": a temporary table after a reset");
    } catch (SQLException none) {
      if (isInterruption(none)) {
        throw none;
      }
      expect("1146", Integer.toString(none.getErrorCode()), "a table");
    }
  }

  /** In the middle of a result or of a transaction. */
  private boolean vanish(Connection connection, boolean isReading) throws SQLException {
    use(connection, "sharded");
    try (Statement statement = connection.createStatement()) {
      if (isReading) {
        statement.setFetchSize(isMySql() ? Integer.MIN_VALUE : 1);
        try (ResultSet result =
            statement.executeQuery("SELECT a.id, a.tag FROM own a ORDER BY a.tag")) {
          result.next();
          connection.abort(Runnable::run);
        }
      } else {
        statement.execute("BEGIN");
        for (long id : rows.keySet()) {
          statement.execute("UPDATE own SET tag = -2 WHERE id = " + id);
        }
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      if (!connection.isClosed()) {
        throw e;
      }
    }
    return false;
  }

  /** What is stored in the end, seen by somebody new. */
  void checkStored() throws SQLException {
    try (Connection connection = connect()) {
      readAll(connection);
    }
  }

  private void expect(String wanted, @Nullable String seen, String what) {
    if (!Objects.equals(wanted, String.valueOf(seen))) {
      neighbours.saw(this + ": " + what + ": " + seen + " instead of " + wanted);
    }
  }

  private static @Nullable String one(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      return result.next() ? result.getString(1) : "no row";
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public String toString() {
    return "session " + number;
  }
}
