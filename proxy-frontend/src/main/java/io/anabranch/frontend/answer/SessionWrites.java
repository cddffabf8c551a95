package io.anabranch.frontend.answer;

import io.anabranch.frontend.answer.TableVersions.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables that one session is changing, until its transaction has ended. On the session's event
 * loop.
 */
public final class SessionWrites {

  private final List<Table> changing = new ArrayList<>(2);
  private boolean isClosed;

  /** A statement that changes the table is about to be sent. */
  public void begins(Table table) {
    if (!isClosed && !changing.contains(table)) {
      changing.add(table);
      table.begins();
    }
  }

  /** Whether it is changing any. */
  public boolean areAny() {
    return !changing.isEmpty();
  }

  /**
   * What changes them goes on elsewhere, whatever becomes of the session.
   *
   * @return to be run once, when it has ended; on any thread
   */
  public Runnable elsewhere() {
    List<Table> now = List.copyOf(changing);
    now.forEach(Table::begins);
    return () -> now.forEach(Table::ended);
  }

  /**
   * A statement has ended.
   *
   * @param isOpen whether others see later what it has changed
   */
  public void ended(boolean isOpen) {
    if (!changing.isEmpty() && (!isOpen || isClosed)) {
      changing.forEach(Table::ended);
      changing.clear();
    }
  }

  /**
   * The session is over; what it had open is rolled back.
   *
   * @param isRunning whether a statement will still end
   */
  public void close(boolean isRunning) {
    if (!isRunning) {
      ended(false);
    }
    isClosed = true;
  }
}
