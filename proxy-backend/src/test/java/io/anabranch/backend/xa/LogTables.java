package io.anabranch.backend.xa;

import io.anabranch.backend.fakes.VirtualTime;
import io.anabranch.backend.shard.ShardException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log's tables as InnoDB keeps them, for the statements of {@link LogStore}: each first takes
 * its row locks, sees what is committed, and has its effect later, when it commits.
 */
final class LogTables {

  private static final Pattern LITERAL = Pattern.compile("'([^']*)'");
  private static final Pattern MICROSECONDS = Pattern.compile("INTERVAL (\\d+) MICROSECOND");
  private static final Pattern BEATS = Pattern.compile("beats = (\\d+)");
  private static final String ALL_NODES = "node *";

  private record Node(String cluster, long beats, long beat) {}

  /** What a statement that has its locks does when it commits. */
  private interface Effect {

    /** Tells the affected rows. */
    long run();
  }

  private final VirtualTime time;
  private final Map<String, String> codes = new HashMap<>();
  private final Map<String, Node> nodes = new TreeMap<>();

  /** With the moments when they were decided. */
  private final Map<String, Long> log = new TreeMap<>();

  private final Set<String> declaredDead = new HashSet<>();
  private final Map<Object, Effect> begun = new HashMap<>();
  private final Map<String, Object> exclusive = new HashMap<>();
  private final Map<String, Set<Object>> shared = new HashMap<>();
  private final Map<String, Object> userLocks = new TreeMap<>();

  LogTables(VirtualTime time) {
    this.time = time;
  }

  /** Transactions that are decided and not forgotten. */
  Set<String> log() {
    return log.keySet();
  }

  static boolean isWrite(String sql) {
    return sql.startsWith("INSERT") || sql.startsWith("UPDATE") || sql.startsWith("DELETE");
  }

  /** Rows of a statement that reads. */
  List<String[]> read(Object owner, String sql) {
    List<String> literals = literals(sql);
    if (sql.startsWith("SELECT 1 FROM")) {
      return List.of();
    }
    if (sql.startsWith("SELECT GET_LOCK")) {
      boolean isFree = userLocks.getOrDefault(literals.getFirst(), owner).equals(owner);
      if (isFree) {
        userLocks.put(literals.getFirst(), owner);
      }
      return rows(List.of(isFree ? "1" : "0"));
    }
    if (sql.startsWith("SELECT code")) {
      return rows(List.of(codes.getOrDefault(literals.getFirst(), "")));
    }
    if (sql.startsWith("SELECT incarnation, beats")) {
      var gone = new ArrayList<String[]>();
      nodes.forEach(
          (name, node) -> {
            boolean isFree = !userLocks.containsKey(literals.getLast() + name);
            if (node.cluster.equals(literals.getFirst())
                && !name.equals(literals.get(1))
                && isFree) {
              gone.add(new String[] {name, Long.toString(node.beats)});
            }
          });
      return gone;
    }
    if (sql.startsWith("SELECT incarnation")) {
      return rows(nodesOf(literals.getFirst(), Long.MAX_VALUE));
    }
    if (sql.contains("WHERE LEFT(transaction_id")) {
      long before = time.nanoTime() - microseconds(sql);
      return rows(
          log.entrySet().stream()
              .filter(each -> each.getKey().startsWith(literals.getFirst()))
              .filter(each -> each.getValue() < before)
              .map(Map.Entry::getKey)
              .toList());
    }
    if (sql.startsWith("SELECT transaction_id")) {
      return rows(log.keySet().stream().filter(literals::contains).toList());
    }
    throw new AssertionError("the simulated log does not know: " + sql);
  }

  private List<String> nodesOf(String cluster, long before) {
    return nodes.entrySet().stream()
        .filter(each -> each.getValue().cluster.equals(cluster) && each.getValue().beat < before)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<String[]> rows(Collection<String> cells) {
    return cells.stream().map(cell -> new String[] {cell}).toList();
  }

  private static List<String> literals(String sql) {
    var literals = new ArrayList<String>();
    Matcher matcher = LITERAL.matcher(sql);
    while (matcher.find()) {
      literals.add(matcher.group(1));
    }
    return literals;
  }

  // ---------------------------------------------------------------- writes

  /** Takes the locks of a statement that writes; false if others have them. */
  boolean begin(Object owner, String sql) {
    List<String> literals = literals(sql);
    String first = literals.isEmpty() ? "" : literals.getFirst();
    if (sql.startsWith("INSERT IGNORE INTO anabranch_xa_cluster")) {
      return begin(owner, Set.of(), Set.of("cluster " + first), () -> code(first, literals));
    }
    if (sql.startsWith("INSERT INTO anabranch_xa_node")) {
      return begin(
          owner,
          Set.of(),
          Set.of("node " + first),
          () -> {
            nodes.put(first, new Node(literals.get(1), 0, time.nanoTime()));
            return 1;
          });
    }
    if (sql.startsWith("UPDATE anabranch_xa_node")) {
      return begin(owner, Set.of(), Set.of("node " + first), () -> beat(first));
    }
    if (sql.startsWith("DELETE FROM anabranch_xa_node WHERE cluster")) {
      return fence(owner, sql, first);
    }
    if (sql.startsWith("DELETE FROM anabranch_xa_node WHERE incarnation")) {
      return begin(owner, Set.of(), Set.of("node " + first), () -> remove(first, sql));
    }
    if (sql.startsWith("INSERT IGNORE INTO anabranch_xa_log")) {
      return decide(owner, sql, literals);
    }
    if (sql.startsWith("DELETE FROM anabranch_xa_log")) {
      return begin(owner, Set.of(), keys(literals), () -> forget(literals));
    }
    throw new AssertionError("the simulated log does not know: " + sql);
  }

  private boolean begin(Object owner, Set<String> toShare, Set<String> toOwn, Effect effect) {
    for (String row : toShare) {
      if (isOwnedByOther(row, owner)) {
        return false;
      }
    }
    for (String row : toOwn) {
      if (isOwnedByOther(row, owner) || isShared(row)) {
        return false;
      }
    }
    toShare.forEach(row -> shared.computeIfAbsent(row, _ -> new HashSet<>()).add(owner));
    toOwn.forEach(row -> exclusive.put(row, owner));
    begun.put(owner, effect);
    return true;
  }

  private boolean isOwnedByOther(String row, Object owner) {
    boolean isNode = row.startsWith("node ");
    for (Map.Entry<String, Object> lock : exclusive.entrySet()) {
      boolean isSame =
          lock.getKey().equals(row)
              || (isNode && lock.getKey().equals(ALL_NODES))
              || (row.equals(ALL_NODES) && lock.getKey().startsWith("node "));
      if (isSame && !lock.getValue().equals(owner)) {
        return true;
      }
    }
    return false;
  }

  private boolean isShared(String row) {
    return row.equals(ALL_NODES)
        ? shared.keySet().stream().anyMatch(each -> each.startsWith("node "))
        : shared.containsKey(row);
  }

  private static Set<String> keys(Collection<String> transactions) {
    var keys = new LinkedHashSet<String>();
    transactions.forEach(id -> keys.add("log " + id));
    return keys;
  }

  private long code(String cluster, List<String> literals) {
    return codes.putIfAbsent(cluster, literals.get(1)) == null ? 1 : 0;
  }

  private long beat(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      return 0;
    }
    nodes.put(name, new Node(node.cluster, node.beats + 1, time.nanoTime()));
    return 1;
  }

  private long remove(String name, String sql) {
    Node node = nodes.get(name);
    Matcher beats = BEATS.matcher(sql);
    if (node == null || (beats.find() && Long.parseLong(beats.group(1)) != node.beats)) {
      return 0;
    }
    nodes.remove(name);
    declaredDead.add(name);
    return 1;
  }

  private boolean fence(Object owner, String sql, String cluster) {
    long before = time.nanoTime() - microseconds(sql);
    return begin(
        owner,
        Set.of(),
        Set.of(ALL_NODES),
        () -> {
          List<String> overdue = nodesOf(cluster, before);
          overdue.forEach(name -> remove(name, ""));
          return overdue.size();
        });
  }

  /** Of a transaction and, where the statement joins with it, its process's row. */
  private boolean decide(Object owner, String sql, List<String> literals) {
    boolean joins =
        sql.contains("FROM anabranch_xa_node") || sql.contains("JOIN anabranch_xa_node");
    boolean locks = joins && sql.endsWith("LOCK IN SHARE MODE");
    List<String> wanted = literals.stream().filter(LogTables::isTransaction).toList();
    var processes = new LinkedHashSet<String>();
    var ids = new ArrayList<String>();
    for (String id : wanted) {
      String process = processOf(id);
      if (!joins || nodes.containsKey(process)) {
        ids.add(id);
      }
      processes.add("node " + process);
    }
    Set<String> toShare = locks ? processes : Set.of();
    return begin(
        owner,
        toShare,
        keys(ids),
        () -> {
          long inserted = 0;
          for (String id : ids) {
            if (log.putIfAbsent(id, time.nanoTime()) == null) {
              inserted++;
              if (declaredDead.contains(processOf(id))) {
                throw new AssertionError(id + " is decided by a process that was declared dead");
              }
            }
          }
          return inserted;
        });
  }

  private long forget(List<String> transactions) {
    return transactions.stream().filter(id -> log.remove(id) != null).count();
  }

  /** What is said in microseconds, in nanoseconds. */
  private static long microseconds(String sql) {
    Matcher limit = MICROSECONDS.matcher(sql);
    if (!limit.find()) {
      throw new AssertionError(sql);
    }
    return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(limit.group(1)));
  }

  private static boolean isTransaction(String literal) {
    return literal.chars().filter(c -> c == '.').count() == 3;
  }

  /** {@code node.life} of {@code cluster.node.life.number}. */
  private static String processOf(String transaction) {
    return transaction.substring(transaction.indexOf('.') + 1, transaction.lastIndexOf('.'));
  }

  /** Commits; tells the affected rows. */
  long commit(Object owner) {
    Effect effect = begun.remove(owner);
    if (effect == null) {
      throw new AssertionError("no statement is under way");
    }
    long affected = effect.run();
    unlock(owner);
    return affected;
  }

  /** The owner's statement and locks are no more. */
  void gone(Object owner) {
    begun.remove(owner);
    unlock(owner);
    userLocks.values().removeIf(owner::equals);
  }

  private void unlock(Object owner) {
    exclusive.values().removeIf(owner::equals);
    shared.values().forEach(owners -> owners.remove(owner));
    shared.values().removeIf(Set::isEmpty);
  }

  /** What a statement that is refused for no reason of its own is told. */
  static ShardException.Database lockWaitTimeout() {
    return new ShardException.Database(1205, "HY000", "Lock wait timeout exceeded");
  }
}
