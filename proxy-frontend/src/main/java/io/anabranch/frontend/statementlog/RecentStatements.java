package io.anabranch.frontend.statementlog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last statements of a kind, a bounded number. Thread-safe; nobody waits long. */
public final class RecentStatements {

  private static final int MOST = 1000;

  private final Deque<LoggedStatement> last = new ArrayDeque<>(MOST);

  public synchronized void add(LoggedStatement statement) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    last.addLast(statement);
  }

  /** A copy, the latest first. */
  public synchronized List<LoggedStatement> all() {
    return new ArrayList<>(last.reversed());
  }

  public synchronized void clear() {
    last.clear();
  }
}
