package io.anabranch.backend.topology;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The group members that one transaction stays with. Owned by its session, used on one thread; made
 * anew, or cleared, for each transaction.
 */
public final class TransactionMembers {

  private final Map<String, String> members = new HashMap<>();

  @Nullable String memberFor(String group) {
    return members.get(group);
  }

  void stay(String group, String member) {
    members.put(group, member);
  }

  public void clear() {
    members.clear();
  }
}
