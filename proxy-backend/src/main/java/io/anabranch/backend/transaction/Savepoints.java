package io.anabranch.backend.transaction;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;

/**
 * The savepoints of a transaction, oldest first. Names compare without regard to case. There are at
 * most {@value #MOST}, of names that servers take: what a session may keep is bounded.
 */
final class Savepoints {

  static final int MOST = 1000;

  /** Characters of a name. */
  private static final int LONGEST = 64;

  private final List<String> names = new ArrayList<>();

  /**
   * Sets a savepoint; one of the same name gives way.
   *
   * @throws io.anabranch.rules.error.RefusedException 1059 for a name that is too long, AB2002 for
   *     too many
   */
  void set(String name) {
    if (name.codePointCount(0, name.length()) > LONGEST) {
      throw ErrorCatalogue.NAME_TOO_LONG.refuse(name.substring(0, LONGEST));
    }
    int old = find(name);
    if (old < 0 && names.size() == MOST) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "more than " + MOST + " savepoints in a transaction",
          "release those that are not needed");
    }
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
    return names.stream().map(name -> "SAVEPOINT " + TableNames.quoted(name)).toList();
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
