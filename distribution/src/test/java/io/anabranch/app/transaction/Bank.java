package io.anabranch.app.transaction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that move money between accounts in two databases, and auditors that add it up. Keeps
 * what was acknowledged and what was refused, to be compared with what is there in the end.
 */
final class Bank {

  static final int ACCOUNTS = 8;
  private static final int INITIAL = 1000;
  private static final long BREATH_NANOS = 2_000_000;

  /** Where clients connect, one of several proxies. */
  interface Door {
    Connection open() throws SQLException;
  }

  private final List<Door> doors;
  private final String audit;
  private final long seed;
  private final AtomicLong ids = new AtomicLong();
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<Long> refused = ConcurrentHashMap.newKeySet();
  private final Set<Long> unknown = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, Integer> reasons = new ConcurrentHashMap<>();
  private final AtomicInteger audits = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean open = true;

  /**
   * @param audit statements of a transaction whose last reads the sum of all balances
   */
  Bank(List<Door> doors, String audit, long seed) {
    this.doors = doors;
    this.audit = audit;
    this.seed = seed;
  }

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL)"
              + " ENGINE=InnoDB");
      statement.execute("CREATE TABLE transfer (id BIGINT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
      for (int i = 0; i < ACCOUNTS; i++) {
        statement.execute("INSERT INTO account VALUES (" + i + ", " + INITIAL + ")");
      }
    }
  }

  void start(int clients, int auditors) {
    for (int i = 0; i < clients; i++) {
      var random = new Random(seed + i);
      Door door = doors.get(i % doors.size());
      threads.add(Thread.ofPlatform().name("client-" + i).start(() -> transfers(door, random)));
    }
    for (int i = 0; i < auditors; i++) {
      Door door = doors.get(i % doors.size());
      threads.add(Thread.ofPlatform().name("auditor-" + i).start(() -> audits(door)));
    }
  }

  void stop() throws InterruptedException {
    open = false;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Transfers that were answered with OK so far. */
  int acknowledged() {
    return acknowledged.size();
  }

  int audited() {
    return audits.get();
  }

  @Override
  public String toString() {
    return "%d transfers acknowledged, %d refused, %d unknown, %d audits; failures: %s"
        .formatted(acknowledged.size(), refused.size(), unknown.size(), audits.get(), reasons);
  }

  private void transfers(Door door, Random random) {
    while (open) {
      try (Connection connection = door.open();
          Statement statement = connection.createStatement()) {
        while (open) {
          if (!transfer(statement, random)) {
            break;
          }
        }
      } catch (SQLException unreachable) {
        LockSupport.parkNanos(50 * BREATH_NANOS);
      }
    }
  }

  /** False if the connection is of no use any more. */
  private boolean transfer(Statement statement, Random random) throws SQLException {
    long id = ids.incrementAndGet();
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    int amount = 1 + random.nextInt(10);
    boolean committing = false;
    LockSupport.parkNanos(BREATH_NANOS);
    try {
      statement.execute("BEGIN");
      // the lower account first: deadlocks have a test of their own
      move(statement, Math.min(from, to), from < to ? -amount : amount);
      move(statement, Math.max(from, to), from < to ? amount : -amount);
      statement.execute("INSERT INTO transfer VALUES (" + id + ")");
      committing = true;
      statement.execute("COMMIT");
      acknowledged.add(id);
      return true;
    } catch (SQLException failure) {
      count(failure);
      boolean isCertain = !committing || isRolledBack(failure);
      (isCertain ? refused : unknown).add(id);
      if (failure.getSQLState() != null && failure.getSQLState().startsWith("08")) {
        return false;
      }
      statement.execute("ROLLBACK");
      return true;
    }
  }

  /** By kind: numbers and what is quoted differ from one to the next. */
  private void count(SQLException failure) {
    String text = String.valueOf(failure.getMessage());
    reasons.merge(
        failure.getErrorCode() + " " + text.replaceAll("\\(conn=\\d+\\) |'[^']*'|\\d+", ""),
        1,
        Integer::sum);
  }

  private static void move(Statement statement, int account, int amount) throws SQLException {
    statement.execute(
        "UPDATE account SET balance = balance + " + amount + " WHERE id = " + account);
  }

  /** What the proxy says of a COMMIT that has certainly done nothing. */
  private static boolean isRolledBack(SQLException failure) {
    String text = String.valueOf(failure.getMessage());
    return text.contains("AB3006") || text.contains("AB3008") || text.contains("AB3009");
  }

  private void audits(Door door) {
    while (open) {
      try (Connection connection = door.open();
          Statement statement = connection.createStatement()) {
        while (open) {
          audit(statement);
          LockSupport.parkNanos(10 * BREATH_NANOS);
        }
      } catch (SQLException unreachable) {
        LockSupport.parkNanos(50 * BREATH_NANOS);
      }
    }
  }

  private void audit(Statement statement) throws SQLException {
    String[] statements = audit.split(";", -1);
    for (int i = 0; i < statements.length - 1; i++) {
      statement.execute(statements[i]);
    }
    int sum = 0;
    int seen = 0;
    try (ResultSet rows = statement.executeQuery(statements[statements.length - 1])) {
      while (rows.next()) {
        sum += rows.getInt(1);
        seen++;
      }
    }
    statement.execute("COMMIT");
    if (sum != ACCOUNTS * INITIAL || seen != ACCOUNTS) {
      wrong.add("audit " + audits.get() + ": " + sum + " in " + seen + " accounts");
    }
    audits.incrementAndGet();
  }

  /** What is not as it must be, once all is quiet; empty if all is well. */
  List<String> faults(Connection connection) throws SQLException {
    var faults = new ArrayList<>(wrong);
    var there = new HashSet<Long>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT SUM(balance), COUNT(*) FROM account")) {
        rows.next();
        if (rows.getInt(1) != ACCOUNTS * INITIAL || rows.getInt(2) != ACCOUNTS) {
          faults.add("in the end there are " + rows.getInt(1) + " in " + rows.getInt(2));
        }
      }
      try (ResultSet rows = statement.executeQuery("SELECT id FROM transfer")) {
        while (rows.next()) {
          there.add(rows.getLong(1));
        }
      }
    }
    for (long id : acknowledged) {
      if (!there.contains(id)) {
        faults.add("transfer " + id + " was acknowledged and is not there");
      }
    }
    for (long id : refused) {
      if (there.contains(id)) {
        faults.add("transfer " + id + " was refused and is there");
      }
    }
    return faults;
  }
}
