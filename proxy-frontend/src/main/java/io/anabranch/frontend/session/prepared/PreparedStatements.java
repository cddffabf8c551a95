package io.anabranch.frontend.session.prepared;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.protocol.parameter.TypeHistory;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a session has prepared, by number and by name. Used by whoever uses the session. */
public final class PreparedStatements {

  /** MariaDB: the statement that was prepared last. */
  private static final int LAST = -1;

  private static final int NAMED_WEIGHT = 128;

  /**
   * A text that was prepared by name.
   *
   * @param database the one that was selected then, where it is executed; null: none was
   * @param reading how it was read then
   * @param history what its executions have left of the types of its values
   */
  public record Named(String sql, @Nullable String database, Reading reading, TypeHistory history) {

    /** Of which nothing was executed. */
    public Named(String sql, @Nullable String database, Reading reading) {
      this(sql, database, reading, new TypeHistory());
    }
  }

  private final Map<Integer, PreparedStatement> byId = new HashMap<>();
  private final Map<String, Named> named = new HashMap<>();
  private final Map<PreparedCommand, Long> counts = new EnumMap<>(PreparedCommand.class);
  private int lastId;

  private final KeptBytes kept = new KeptBytes();
  private final MemoryCharge texts;

  public PreparedStatements(SessionMemory memory) {
    texts = memory.charge(MemoryKind.HEAP, "prepared statements");
  }

  /** The long data that they keep. */
  public KeptBytes kept() {
    return kept;
  }

  public int size() {
    return byId.size();
  }

  public Collection<PreparedStatement> all() {
    return byId.values();
  }

  /** The client has given another such command. */
  public void count(PreparedCommand command) {
    counts.merge(command, 1L, Long::sum);
  }

  /** How many such commands the client has given since it came, or has reset its session. */
  public long counted(PreparedCommand command) {
    return counts.getOrDefault(command, 0L);
  }

  /** Null if there is none of that number. */
  public @Nullable PreparedStatement find(int id) {
    return byId.get(id == LAST ? lastId : id);
  }

  /** Ids are the proxy's own and not used again in the session. */
  public int nextId() {
    return ++lastId;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public void add(PreparedStatement statement) {
    texts.grow(statement.weight());
    byId.put(statement.id(), statement);
  }

  /** Null if there was none of that number. */
  public @Nullable PreparedStatement remove(int id) {
    PreparedStatement removed = byId.remove(id);
    if (removed != null) {
      removed.reset();
      texts.shrink(removed.weight());
    }
    return removed;
  }

  // ---- by name, in lower case: a part of the session where databases are sharded

  /** Null if there is none of that name. */
  public @Nullable Named named(String name) {
    return named.get(name);
  }

  public int namedCount() {
    return named.size();
  }

  /**
   * Keeps a text in the place of the one of that name.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public void name(String name, Named text) {
    removeNamed(name);
    texts.grow(weight(name, text.sql()));
    named.put(name, text);
  }

  /** Whether there was one of that name. */
  public boolean removeNamed(String name) {
    Named known = named.remove(name);
    if (known != null) {
      texts.shrink(weight(name, known.sql()));
    }
    return known != null;
  }

  private static long weight(String name, String sql) {
    return NAMED_WEIGHT + (long) Character.BYTES * (name.length() + (long) sql.length());
  }

  public void forget() {
    counts.clear();
    forgetNumbered();
    named.clear();
    texts.close();
  }

  /** The session is over, and its connections with it. */
  void forgetNumbered() {
    byId.values().forEach(PreparedStatement::close);
    byId.values().forEach(each -> texts.shrink(each.weight()));
    byId.clear();
  }
}
