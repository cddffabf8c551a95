package io.anabranch.backend.topology;

import io.anabranch.backend.topology.position.Position;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How far the writes of each user to one group have come. Thread-safe. */
final class UserWrites {

  private final Map<String, Position> positions = new ConcurrentHashMap<>();
  private final Set<String> untracked = ConcurrentHashMap.newKeySet();

  void committed(String user, Position position) {
    positions.merge(user, position, Position::plus);
  }

  @Nullable Position of(String user) {
    return positions.get(user);
  }

  void untracked(String user) {
    untracked.add(user);
  }

  boolean isUntracked(String user) {
    return untracked.contains(user);
  }
}
