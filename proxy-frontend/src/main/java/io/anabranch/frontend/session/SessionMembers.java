package io.anabranch.frontend.session;

import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.MemberWait;
import io.anabranch.backend.topology.TransactionMembers;
import io.anabranch.backend.transaction.SessionConnections;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which members of read/write groups a session's statements go to: an open transaction stays with
 * those that it has been on, and so does what is pinned. Like the session: on its event loop, or on
 * the virtual thread that works for it.
 */
public final class SessionMembers {

  private final Session session;

  /** Outside of transactions: the members that pinned connections belong to. */
  private final TransactionMembers pinned = new TransactionMembers();

  private final MemberWait wait = new MemberWait();

  /** The groups by which the running statement has found members, by the members' names. */
  private final Map<String, String> groups = new HashMap<>();

  SessionMembers(Session session) {
    this.session = session;
  }

  /** Whether statements belong to a transaction, or connections to the session. */
  public boolean areBound() {
    return ofTransaction() != null || session.connections().areBound();
  }

  /** Whether the open transaction has read from the group, and stays with that member. */
  public boolean has(String endpoint) {
    TransactionMembers members = ofTransaction();
    return members != null && members.has(endpoint);
  }

  /** The open transaction has sent nothing to the group: it may go to another member. */
  public void forget(String endpoint) {
    TransactionMembers members = ofTransaction();
    if (members != null) {
      members.leave(endpoint);
    }
  }

  /**
   * The member that a statement for {@code endpoint} goes to now.
   *
   * @param tried bits of members on which this read has failed
   * @return null if no member takes it now
   * @throws RefusedException if another member had what the session cannot have again
   */
  public @Nullable Member find(Backend of, String endpoint, Access access, long tried) {
    boolean stays = has(endpoint);
    TransactionMembers bound = bound();
    Member member = of.topology().member(endpoint, accessOf(endpoint, access), bound, tried);
    if (member != null) {
      found(endpoint, member, stays);
    }
    return member;
  }

  /** The same, waiting on the calling virtual thread. */
  public Member findBlocking(Backend of, String endpoint, Access access) {
    boolean stays = has(endpoint);
    TransactionMembers bound = bound();
    Member member = of.topology().memberBlocking(endpoint, accessOf(endpoint, access), bound, wait);
    found(endpoint, member, stays);
    return member;
  }

  /**
   * Temporary tables and locks that were made by way of a group are on the member that was its
   * primary: on another one a statement would be about other tables, and beside others who have the
   * locks. What is on a server that a statement has named stays where it is.
   */
  private void found(String endpoint, Member member, boolean stays) {
    if (endpoint.equals(member.name())) {
      return;
    }
    if (!stays && session.connections().pins().any()) {
      session.connections().requireStateOn(member.name(), endpoint);
    }
    groups.put(member.name(), endpoint);
  }

  /** What the running statement has left where it ran was made by way of those groups. */
  public void statementEnded() {
    if (!groups.isEmpty()) {
      if (session.connections().pins().any()) {
        session.connections().statesAreOf(groups);
      }
      groups.clear();
    }
  }

  /**
   * Waits for what {@link #find} did not find.
   *
   * @param resumed on the session's event loop; gets null if it is worth asking again, else why the
   *     statement fails
   */
  public void await(
      Backend of, String endpoint, Access access, Consumer<@Nullable RuntimeException> resumed) {
    TransactionMembers bound = bound();
    of.topology().await(endpoint, accessOf(endpoint, access), bound, wait, session.loop(), resumed);
  }

  /** The running statement's wait for a member. */
  public MemberWait waiting() {
    return wait;
  }

  private @Nullable TransactionMembers ofTransaction() {
    return session.transaction().members();
  }

  private @Nullable TransactionMembers bound() {
    SessionTransaction transaction = session.transaction();
    TransactionMembers bound = transaction.members();
    if (bound == null && transaction.connections().areBound()) {
      bound = pinned;
    } else {
      pinned.clear();
    }
    if (bound != null) {
      bound.readOnly(transaction.isReadOnly(session.settings().isReadOnly()));
    }
    return bound;
  }

  /**
   * What pins a connection is on the primary: temporary tables, locks. A transaction that has read
   * elsewhere before stays there.
   */
  private Access accessOf(String endpoint, Access access) {
    SessionConnections connections = session.connections();
    boolean isPinned =
        ofTransaction() == null
            ? connections.areBound()
            : !has(endpoint) && connections.pins().any();
    return isPinned ? Access.WRITE : access;
  }

  void clear() {
    pinned.clear();
  }
}
