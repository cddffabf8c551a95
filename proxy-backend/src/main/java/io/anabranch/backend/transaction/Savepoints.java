package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints of a transaction, oldest first. Names compare without regard to case. There are at
 * most {@value #MOST}, of names that servers take: what a session may keep is bounded.
 *
 * <p>Connections may join under another character set than the one that a name came in: one that is
 * not ASCII is called otherwise there.
 */
final class Savepoints {

  static final int MOST = 1000;

  /** Characters of a name. */
  private static final int LONGEST = 64;

  /**
   * @param told what databases call it
   */
  private record Savepoint(String name, String told) {}

  private final List<Savepoint> points = new ArrayList<>();

  /** Of the transaction so far that are called otherwise. */
  private int renamed;

  /**
   * Sets a savepoint; one of the same name gives way.
   *
   * @return its name for databases
   * @throws io.anabranch.rules.error.RefusedException 1059 for a name that is too long, AB2002 for
   *     too many
   */
  String set(String name) {
    if (name.codePointCount(0, name.length()) > LONGEST) {
      throw ErrorCatalogue.NAME_TOO_LONG.refuse(name.substring(0, LONGEST));
    }
    int old = find(name);
    if (old < 0 && points.size() == MOST) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "more than " + MOST + " savepoints in a transaction",
          "release those that are not needed");
    }
    // a server's gives way as well: it has to be called as it was
    String told = old < 0 ? called(name) : points.remove(old).told();
    points.add(new Savepoint(name, told));
    return told;
  }

  private String called(String name) {
    return SettingsReplay.isAscii(name) ? name : "anabranch " + ++renamed;
  }

  /** Forgets the savepoints after {@code name}; what databases call it, null if there is none. */
  @Nullable String rollbackTo(String name) {
    int at = find(name);
    if (at < 0) {
      return null;
    }
    points.subList(at + 1, points.size()).clear();
    return points.getLast().told();
  }

  /** Forgets {@code name} and those after it; what databases call it, null if there is none. */
  @Nullable String release(String name) {
    int at = find(name);
    if (at < 0) {
      return null;
    }
    String told = points.get(at).told();
    points.subList(at, points.size()).clear();
    return told;
  }

  void clear() {
    points.clear();
    renamed = 0;
  }

  /** The commands that set them all on a connection that joins now. */
  List<String> commands() {
    return points.stream().map(point -> "SAVEPOINT " + TableNames.quoted(point.told())).toList();
  }

  private int find(String name) {
    for (int i = 0; i < points.size(); i++) {
      if (points.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }
}
