package io.anabranch.frontend.session;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a session has prepared, by number and by name. Used by whoever uses the session. */
public final class PreparedStatements {

  /** MariaDB: the statement that was prepared last. */
  private static final int LAST = -1;

  private final Map<Integer, PreparedStatement> byId = new HashMap<>();
  private final Map<String, String> named = new HashMap<>();
  private int lastId;

  PreparedStatements() {}

  public int size() {
    return byId.size();
  }

  public Collection<PreparedStatement> all() {
    return byId.values();
  }

  /** Null if there is none of that number. */
  public @Nullable PreparedStatement find(int id) {
    return byId.get(id == LAST ? lastId : id);
  }

  /** Ids are the proxy's own and not used again in the session. */
  public int nextId() {
    return ++lastId;
  }

  public void add(PreparedStatement statement) {
    byId.put(statement.id(), statement);
  }

  /** Null if there was none of that number. */
  public @Nullable PreparedStatement remove(int id) {
    return byId.remove(id);
  }

  /** Texts of PREPARE by lower-case name; a part of the session where databases are sharded. */
  public Map<String, String> named() {
    return named;
  }

  void forget() {
    forgetNumbered();
    named.clear();
  }

  /** The session is over, and its connections with it. */
  void forgetNumbered() {
    byId.values().forEach(PreparedStatement::close);
    byId.clear();
  }
}
