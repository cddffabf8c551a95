package io.anabranch.app.soak;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Clients that do a little of everything and look at every answer; after an error they come back.
 * They stand still while somebody holds {@link #stillness}.
 */
final class Clients {

  /** Rows of {@code s}: {@code v} is seven times {@code id} modulo their number. */
  static final int ROWS = 2000;

  static final int COUNTERS = 64;
  static final int ACCOUNTS = 8;
  static final int BALANCE = 1000;

  private static final long BREATH_NANOS = 25_000_000;
  private static final int LARGE = 60_000;
  private static final String[][] OPTIONS = {
    {"socketTimeout=60000"},
    {"socketTimeout=60000", "useServerPrepStmts=true"},
    {"socketTimeout=60000", "useServerPrepStmts=true", "cachePrepStmts=false"}
  };

  private final int port;
  private final int linkedPort;
  private final long seed;
  private final ReentrantReadWriteLock stillness = new ReentrantReadWriteLock(true);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong steps = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong perhapsCounted = new AtomicLong();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> relayed = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> merged = new ConcurrentLinkedQueue<>();

  /**
   * @param port of the proxy
   * @param linkedPort where a link to it can be struck
   */
  Clients(int port, int linkedPort, long seed) {
    this.port = port;
    this.linkedPort = linkedPort;
    this.seed = seed;
  }

  void start(int clients) {
    for (int i = 0; i < clients; i++) {
      int number = i;
      threads.add(Thread.ofVirtual().start(() -> run(number, new Random(seed + number))));
    }
  }

  void end() throws InterruptedException {
    stop.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Whoever has it sees no statement run. */
  ReentrantReadWriteLock.WriteLock stillness() {
    return stillness.writeLock();
  }

  long steps() {
    return steps.get();
  }

  long errors() {
    return errors.get();
  }

  /** Increments of counters that were acknowledged. */
  long counted() {
    return counted.get();
  }

  /** Increments whose answer was an error. */
  long perhapsCounted() {
    return perhapsCounted.get();
  }

  /** Answers that were not what was stored. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Nanoseconds of statements of one row, since it was asked for the last time. */
  List<Long> takeRelayed() {
    return drain(relayed);
  }

  /** Nanoseconds of statements over all databases, since it was asked for the last time. */
  List<Long> takeMerged() {
    return drain(merged);
  }

  private static List<Long> drain(ConcurrentLinkedQueue<Long> queue) {
    var taken = new ArrayList<Long>();
    for (Long each = queue.poll(); each != null; each = queue.poll()) {
      taken.add(each);
    }
    return taken;
  }

  private void run(int number, Random random) {
    while (stop.getCount() > 0) {
      try (Connection client = connect(number)) {
        boolean isOpen = true;
        while (isOpen && stop.getCount() > 0) {
          LockSupport.parkNanos(BREATH_NANOS / 2 + random.nextLong(BREATH_NANOS));
          stillness.readLock().lock();
          try {
            isOpen = step(client, random);
            steps.incrementAndGet();
          } finally {
            stillness.readLock().unlock();
          }
        }
      } catch (SQLException failure) {
        errors.incrementAndGet();
        LockSupport.parkNanos(4 * BREATH_NANOS);
      }
    }
  }

  private Connection connect(int number) throws SQLException {
    Driver driver = number % 4 == 3 ? Driver.MYSQL : Driver.MARIADB;
    int door = number % 2 == 0 ? port : linkedPort;
    return driver.connect(
        door, "soak", RunningProxy.USER, RunningProxy.PASSWORD, OPTIONS[number % OPTIONS.length]);
  }

  /** False if the connection is no more. */
  private boolean step(Connection client, Random random) throws SQLException {
    int which = random.nextInt(100);
    if (which < 40) {
      point(client, random.nextInt(ROWS));
    } else if (which < 55) {
      increment(client, random.nextInt(COUNTERS));
    } else if (which < 65) {
      sorted(client, 50 + random.nextInt(50));
    } else if (which < 70) {
      grouped(client);
    } else if (which < 74) {
      expect(client, "SELECT COUNT(*) FROM s a JOIN s b ON a.v = b.id", Integer.toString(ROWS));
    } else if (which < 80) {
      transaction(client, random);
    } else if (which < 85) {
      transfer(client, random);
    } else if (which < 89) {
      large(client, random.nextInt(COUNTERS));
    } else if (which < 92) {
      sessionState(client, random.nextInt());
    } else if (which < 95) {
      temporaryTable(client, random.nextInt());
    } else {
      leave(client, which);
      return false;
    }
    return true;
  }

  private void point(Connection client, int id) throws SQLException {
    long start = System.nanoTime();
    try (PreparedStatement read = client.prepareStatement("SELECT text FROM s WHERE id = ?")) {
      read.setInt(1, id);
      try (ResultSet rows = read.executeQuery()) {
        check("row " + id, rows.next() ? rows.getString(1) : "none");
      }
    }
    relayed.add(System.nanoTime() - start);
  }

  private void increment(Connection client, int id) throws SQLException {
    perhapsCounted.incrementAndGet();
    try (PreparedStatement write = client.prepareStatement("UPDATE w SET n = n + 1 WHERE id = ?")) {
      write.setInt(1, id);
      check("1", Integer.toString(write.executeUpdate()));
    }
    acknowledged(1);
  }

  private void acknowledged(int increments) {
    counted.addAndGet(increments);
    perhapsCounted.addAndGet(-increments);
  }

  private void sorted(Connection client, int above) throws SQLException {
    long start = System.nanoTime();
    try (Statement read = client.createStatement();
        ResultSet rows =
            read.executeQuery(
                "SELECT id, text FROM s WHERE id >= " + above + " ORDER BY id LIMIT 20")) {
      for (int id = above; id < above + 20; id++) {
        check(id + " row " + id, rows.next() ? rows.getInt(1) + " " + rows.getString(2) : "none");
      }
    }
    merged.add(System.nanoTime() - start);
  }

  private void grouped(Connection client) throws SQLException {
    try (Statement read = client.createStatement();
        ResultSet rows =
            read.executeQuery("SELECT v % 5 g, COUNT(*) FROM s GROUP BY g ORDER BY g")) {
      for (int group = 0; group < 5; group++) {
        check(group + " " + ROWS / 5, rows.next() ? rows.getInt(1) + " " + rows.getInt(2) : "none");
      }
    }
  }

  /** Two increments on one database, committed or not. */
  private void transaction(Connection client, Random random) throws SQLException {
    int id = random.nextInt(COUNTERS / 2);
    boolean commits = random.nextBoolean();
    try (Statement statement = client.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("UPDATE w SET n = n + 1 WHERE id = " + id);
      statement.execute("UPDATE w SET n = n + 1 WHERE id = " + (id + COUNTERS / 2));
      if (commits) {
        perhapsCounted.addAndGet(2);
      }
      statement.execute(commits ? "COMMIT" : "ROLLBACK");
      if (commits) {
        acknowledged(2);
      }
    }
  }

  /** From one database to the other, in two phases. */
  private static void transfer(Connection client, Random random) throws SQLException {
    int even = 2 * random.nextInt(ACCOUNTS / 2);
    int odd = even + 1;
    int amount = random.nextInt(9) - 4;
    try (Statement statement = client.createStatement()) {
      statement.execute("USE bank");
      statement.execute("BEGIN");
      statement.execute(move(even, amount));
      statement.execute(move(odd, -amount));
      statement.execute("COMMIT");
      statement.execute("USE soak");
    }
  }

  private static String move(int account, int amount) {
    return "UPDATE account SET balance = balance + (%d) WHERE id = %d".formatted(amount, account);
  }

  private void large(Connection client, int id) throws SQLException {
    try (PreparedStatement write = client.prepareStatement("REPLACE INTO l VALUES (?, ?)")) {
      write.setInt(1, id);
      write.setString(2, "x".repeat(LARGE));
      write.executeUpdate();
    }
    expect(client, "SELECT LENGTH(b) FROM l WHERE id = " + id, Integer.toString(LARGE));
  }

  private void sessionState(Connection client, int tag) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute("SET @mine = " + tag + ", SESSION sort_buffer_size = 300000");
    }
    expect(client, "SELECT @mine FROM s WHERE id = 1", Integer.toString(tag));
  }

  private void temporaryTable(Connection client, int tag) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute("USE plain");
      statement.execute("CREATE TEMPORARY TABLE mine (n INT)");
      statement.execute("INSERT INTO mine VALUES (" + tag + ")");
      expect(client, "SELECT GROUP_CONCAT(n) FROM mine", Integer.toString(tag));
      statement.execute("DROP TEMPORARY TABLE mine");
      statement.execute("USE soak");
    }
  }

  private void leave(Connection client, int how) throws SQLException {
    switch (how % 5) {
      case 0 -> client.close();
      case 1 -> {
        try (Statement statement = client.createStatement()) {
          statement.execute("BEGIN");
          statement.execute("SELECT * FROM w WHERE id = 1 FOR UPDATE");
          client.abort(Runnable::run);
        }
      }
      case 2 -> leaveUnread(client);
      case 3 -> leaveKilled(client);
      default -> {
        try (Connection other =
            Driver.MARIADB.connect(port, "soak", RunningProxy.USER, "not the password")) {
          wrong.add("logged in with a wrong password: " + other);
        } catch (SQLException refused) {
          check("1045", Integer.toString(refused.getErrorCode()));
        }
        client.close();
      }
    }
  }

  private static void leaveUnread(Connection client) throws SQLException {
    try (Statement statement = client.createStatement()) {
      boolean isMySql = statement.isWrapperFor(com.mysql.cj.jdbc.JdbcStatement.class);
      statement.setFetchSize(isMySql ? Integer.MIN_VALUE : 1);
      try (ResultSet rows = statement.executeQuery("SELECT a.id, b.text FROM s a JOIN s b")) {
        rows.next();
        client.abort(Runnable::run);
      }
    } catch (SQLException aborted) {
      if (!client.isClosed()) {
        throw aborted;
      }
    }
  }

  private void leaveKilled(Connection client) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet id = statement.executeQuery("SELECT CONNECTION_ID()");
        Connection killer =
            Driver.MARIADB.connect(port, "", RunningProxy.USER, RunningProxy.PASSWORD);
        Statement kill = killer.createStatement()) {
      id.next();
      kill.execute("KILL " + id.getLong(1));
    }
  }

  private void expect(Connection client, String query, String value) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      check(value, rows.next() ? rows.getString(1) : "none");
    }
  }

  private void check(String expected, String found) {
    if (!expected.equals(found)) {
      wrong.add("expected " + expected + ", found " + found);
    }
  }
}
