package io.anabranch.backend.transaction;

import java.util.ArrayList;
import java.util.List;

/** The savepoints of a transaction, oldest first. Names compare without regard to case. */
final class Savepoints {

  private final List<String> names = new ArrayList<>();

  /** Sets a savepoint; one of the same name gives way. */
  void set(String name) {
    int old = find(name);
    if (old >= 0) {
      names.remove(old);
    }
    names.add(name);
  }

  /** Forgets the savepoints after {@code name}; false if there is none of that name. */
  boolean rollbackTo(String name) {
    int at = find(name);
    if (at < 0) {
      return false;
    }
    names.subList(at + 1, names.size()).clear();
    return true;
  }

  /** Forgets {@code name} and the savepoints after it; false if there is none of that name. */
  boolean release(String name) {
    int at = find(name);
    if (at < 0) {
      return false;
    }
    names.subList(at, names.size()).clear();
    return true;
  }

  void clear() {
    names.clear();
  }

  /** The commands that set them all on a connection that joins now. */
  List<String> commands() {
    return names.stream().map(name -> "SAVEPOINT " + quoted(name)).toList();
  }

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private int find(String name) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }
}
