package io.anabranch.backend.topology;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last things that happened in one group: for administrators, and for the log. Thread-safe. */
final class GroupEvents {

  private static final Logger log = LoggerFactory.getLogger(GroupEvents.class);
  private static final int KEPT = 50;

  private final String database;
  private final String group;
  private final Deque<GroupStatus.Event> events = new ArrayDeque<>();

  GroupEvents(String database, String group) {
    this.database = database;
    this.group = group;
  }

  void tell(String text) {
    log.info("database {}, group {}: {}", database, group, text);
    keep(text);
  }

  void warn(String text) {
    log.warn("database {}, group {}: {}", database, group, text);
    keep(text);
  }

  private synchronized void keep(String text) {
    events.addLast(new GroupStatus.Event(System.currentTimeMillis(), text));
    if (events.size() > KEPT) {
      events.removeFirst();
    }
  }

  synchronized List<GroupStatus.Event> latest() {
    return List.copyOf(events);
  }
}
