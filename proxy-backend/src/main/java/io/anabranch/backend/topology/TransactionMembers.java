package io.anabranch.backend.topology;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The group members that one transaction stays with. Owned by its session, used on one thread; made
 * anew, or cleared, for each transaction.
 */
public final class TransactionMembers {

  private final Map<String, Member> members = new HashMap<>();
  private final Map<String, Member> primaries = new HashMap<>();
  private boolean readOnly;

  /** The member that the transaction has used for reads, or as primary; null if there is none. */
  @Nullable Member keptFor(String group, boolean read) {
    return (read ? members : primaries).get(group);
  }

  /** Whether the transaction stays with a member of the group. */
  public boolean has(String group) {
    return members.containsKey(group);
  }

  /** Whether it stays with no member at all. */
  boolean isEmpty() {
    return members.isEmpty();
  }

  void stay(String group, Member member, boolean asPrimary) {
    if (asPrimary) {
      primaries.put(group, member);
    }
    // What is READ ONLY changes nothing that a replica would not show: its snapshot stays.
    if (!readOnly || !asPrimary) {
      members.put(group, member);
    } else {
      members.putIfAbsent(group, member);
    }
  }

  /** The transaction has sent nothing to the group after all. */
  public void leave(String group) {
    members.remove(group);
    primaries.remove(group);
  }

  boolean isReadOnly() {
    return readOnly;
  }

  /** Says whether the transaction was begun READ ONLY; before its statements are routed. */
  public void readOnly(boolean is) {
    readOnly = is;
  }

  public void clear() {
    members.clear();
    primaries.clear();
    readOnly = false;
  }
}
