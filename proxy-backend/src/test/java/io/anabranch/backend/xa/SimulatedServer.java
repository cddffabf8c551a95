package io.anabranch.backend.xa;

import io.anabranch.backend.fakes.VirtualTime;
import io.anabranch.backend.shard.ShardException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A database that knows the statements of two-phase commits, with the rules of MariaDB or MySQL for
 * prepared branches; one has the log.
 */
final class SimulatedServer {

  private static final int NO_SUCH_XID = 1397;
  private static final int WRONG_STATE = 1399;
  private static final int DUPLICATE_XID = 1440;
  private static final int ROLLED_BACK_BY_SERVER = 1402;

  /** How far a branch is. */
  enum Stage {
    ACTIVE,
    IDLE,
    PREPARED
  }

  /**
   * How a prepared branch ended.
   *
   * @param at by the clock, in nanoseconds
   */
  private record End(String xid, long at) {}

  /** A branch that has not ended. */
  private static final class OpenBranch {
    private Stage stage = Stage.ACTIVE;
    private @Nullable SimulatedConnection session;

    OpenBranch(@Nullable SimulatedConnection session) {
      this.session = session;
    }
  }

  final String name;

  /** Whether a prepared branch leaves its session at once, as MySQL's do since 8.0.29. */
  private final boolean detaches;

  private final Random random;
  private final VirtualTime time;
  private final @Nullable LogTables log;
  private final Map<String, OpenBranch> branches = new LinkedHashMap<>();

  /** Of all branches that have ended: whether they were committed. */
  private final Map<String, Boolean> ended = new TreeMap<>();

  /** Ends of branches that were prepared, in their order. */
  private final List<End> ends = new ArrayList<>();

  /** Branches that a replica which took over has not come to yet, with when it will have. */
  private final Map<String, Long> late = new TreeMap<>();

  final List<SimulatedConnection> connections = new ArrayList<>();
  boolean isReachable = true;

  SimulatedServer(
      String name, boolean detaches, Random random, VirtualTime time, @Nullable LogTables log) {
    this.name = name;
    this.time = time;
    this.detaches = detaches;
    this.random = random;
    this.log = log;
  }

  /** Whether a branch was committed; null if it has not ended, or never was. */
  @Nullable Boolean isCommitted(String xid) {
    return ended.get(xid);
  }

  /** Branches that have not ended. */
  List<String> open() {
    return List.copyOf(branches.keySet());
  }

  private static ShardException.Database refusal(int errno) {
    return new ShardException.Database(errno, "XAE00", "simulated");
  }

  /** Takes the locks that a statement needs; false if it has to wait for some. */
  boolean begin(SimulatedConnection session, String sql) {
    return log == null || !LogTables.isWrite(sql) || log.begin(session, sql);
  }

  /**
   * Runs a statement that has its locks.
   *
   * @return rows, or the number of affected rows
   */
  Answer finish(SimulatedConnection session, String sql) {
    if (sql.startsWith("XA ")) {
      return xa(session, sql);
    }
    if (sql.startsWith("SELECT") && log != null) {
      return new Answer(0, log.read(session, sql), null);
    }
    if (LogTables.isWrite(sql) && log != null) {
      if (random.nextInt(150) == 0) {
        log.gone(session);
        return new Answer(0, null, LogTables.lockWaitTimeout());
      }
      return new Answer(log.commit(session), null, null);
    }
    if (sql.equals("work")) {
      return new Answer(1, null, null);
    }
    throw new AssertionError("the simulated database does not know: " + sql);
  }

  private Answer xa(SimulatedConnection session, String sql) {
    if (sql.equals("XA RECOVER")) {
      return new Answer(0, prepared(), null);
    }
    int second = sql.indexOf(' ', 3);
    String verb = sql.substring(3, second);
    boolean isOnePhase = sql.endsWith(" ONE PHASE");
    String xid = sql.substring(second + 1).replace(" ONE PHASE", "");
    ShardException.Database refused =
        switch (verb) {
          case "START" -> start(session, xid);
          case "END" -> end(session, xid);
          case "PREPARE" -> prepare(session, xid);
          case "COMMIT" -> commit(session, xid, isOnePhase);
          case "ROLLBACK" -> rollback(session, xid);
          default -> throw new AssertionError("the simulated database does not know: " + sql);
        };
    return new Answer(0, null, refused);
  }

  private ShardException.@Nullable Database start(SimulatedConnection session, String xid) {
    if (branches.containsKey(xid)) {
      return refusal(DUPLICATE_XID);
    }
    if (hasBranch(session)) {
      return refusal(WRONG_STATE);
    }
    branches.put(xid, new OpenBranch(session));
    return null;
  }

  boolean hasBranch(SimulatedConnection session) {
    return branches.values().stream().anyMatch(branch -> session.equals(branch.session));
  }

  private ShardException.@Nullable Database end(SimulatedConnection session, String xid) {
    OpenBranch branch = branches.get(xid);
    if (branch == null || !session.equals(branch.session)) {
      return refusal(NO_SUCH_XID);
    }
    if (branch.stage != Stage.ACTIVE) {
      return refusal(WRONG_STATE);
    }
    branch.stage = Stage.IDLE;
    return null;
  }

  private ShardException.@Nullable Database prepare(SimulatedConnection session, String xid) {
    OpenBranch branch = branches.get(xid);
    if (branch == null || !session.equals(branch.session)) {
      return refusal(NO_SUCH_XID);
    }
    if (branch.stage != Stage.IDLE) {
      return refusal(WRONG_STATE);
    }
    if (random.nextInt(80) == 0) {
      ended(xid, false);
      return refusal(ROLLED_BACK_BY_SERVER);
    }
    branch.stage = Stage.PREPARED;
    if (detaches) {
      branch.session = null;
    }
    return null;
  }

  private ShardException.@Nullable Database commit(
      SimulatedConnection session, String xid, boolean isOnePhase) {
    OpenBranch branch = branches.get(xid);
    if (branch == null || isLate(xid) || isAttachedToAnother(branch, session)) {
      return refusal(NO_SUCH_XID);
    }
    if (branch.stage != (isOnePhase ? Stage.IDLE : Stage.PREPARED)) {
      return refusal(WRONG_STATE);
    }
    ended(xid, true);
    return null;
  }

  private ShardException.@Nullable Database rollback(SimulatedConnection session, String xid) {
    OpenBranch branch = branches.get(xid);
    if (branch == null || isLate(xid) || isAttachedToAnother(branch, session)) {
      return refusal(NO_SUCH_XID);
    }
    if (branch.stage == Stage.ACTIVE) {
      return refusal(WRONG_STATE);
    }
    ended(xid, false);
    return null;
  }

  private static boolean isAttachedToAnother(OpenBranch branch, SimulatedConnection session) {
    return branch.session != null && !branch.session.equals(session);
  }

  private void ended(String xid, boolean committed) {
    OpenBranch branch = branches.remove(xid);
    if (branch != null && branch.stage == Stage.PREPARED) {
      ends.add(new End(xid, time.nanoTime()));
    }
    ended.put(xid, committed);
  }

  private boolean isLate(String xid) {
    return late.getOrDefault(xid, 0L) > time.nanoTime();
  }

  private List<String[]> prepared() {
    var rows = new ArrayList<String[]>();
    branches.forEach(
        (xid, branch) -> {
          if (branch.stage == Stage.PREPARED && !isLate(xid)) {
            String[] parts = xid.split(",", -1);
            String global = parts[0].substring(1, parts[0].length() - 1);
            String qualifier = parts[1].substring(1, parts[1].length() - 1);
            rows.add(
                new String[] {
                  parts[2],
                  Integer.toString(global.length()),
                  Integer.toString(qualifier.length()),
                  global + qualifier
                });
          }
        });
    return rows;
  }

  /** The server has noticed that a session is over: what is prepared stays, the rest is undone. */
  void sessionOver(SimulatedConnection session) {
    if (log != null) {
      log.gone(session);
    }
    connections.remove(session);
    for (String xid : open()) {
      OpenBranch branch = branches.get(xid);
      if (branch != null && session.equals(branch.session)) {
        if (branch.stage == Stage.PREPARED) {
          branch.session = null;
        } else {
          ended(xid, false);
        }
      }
    }
  }

  /** All sessions are over at once. */
  void restart() {
    for (SimulatedConnection session : List.copyOf(connections)) {
      session.dies();
    }
  }

  /**
   * A replica takes over that is behind: branches that were ended lately are prepared there, and of
   * those that are prepared it has not heard of some yet.
   *
   * @param lag how far it is behind, and how long it takes to catch up, in nanoseconds
   */
  void failOver(long lag) {
    restart();
    long now = time.nanoTime();
    for (End end : ends) {
      if (now - end.at < lag && ended.remove(end.xid) != null) {
        var branch = new OpenBranch(null);
        branch.stage = Stage.PREPARED;
        branches.put(end.xid, branch);
      }
    }
    ends.clear();
    branches.forEach(
        (xid, branch) -> {
          if (branch.stage == Stage.PREPARED && random.nextBoolean()) {
            late.put(xid, now + lag);
          }
        });
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * What a statement brings.
   *
   * @param rows null for a statement without
   * @param refused null if it succeeded
   */
  record Answer(
      long affected, @Nullable List<String[]> rows, ShardException.@Nullable Database refused) {}
}
