package io.anabranch.app.live;

import io.anabranch.frontend.configuration.ConfigurationControl.Version;
import io.anabranch.rules.config.Configuration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last configurations that were in force. Not thread-safe. */
final class History {

  private static final int MOST = 20;

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long last;

  private record Entry(Version version, Configuration configuration) {}

  /** Another one is in force from now on. */
  void add(Configuration configuration, String author, List<String> changes) {
    last++;
    entries.push(new Entry(new Version(last, Instant.now(), author, changes), configuration));
    if (entries.size() > MOST) {
      entries.removeLast();
    }
  }

  /** What is in force is written otherwise, and says the same. */
  void reword(Configuration configuration) {
    entries.push(new Entry(entries.pop().version(), configuration));
  }

  /** What is in force. */
  Configuration current() {
    return entries.getFirst().configuration();
  }

  /** What was in force before that; null: there was nothing. */
  @Nullable Configuration previous() {
    Iterator<Entry> newest = entries.iterator();
    newest.next();
    return newest.hasNext() ? newest.next().configuration() : null;
  }

  /** The latest first. */
  List<Version> versions() {
    return entries.stream().map(Entry::version).toList();
  }
}
