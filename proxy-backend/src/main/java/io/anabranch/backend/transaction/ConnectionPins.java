package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What binds connections to a session beyond its transactions: state that cannot be replayed on
 * another one. Not thread-safe: a session runs one command at a time.
 */
public final class ConnectionPins {

  private final Supplier<LeaseDesk> desks;
  private final Participants held;

  ConnectionPins(Supplier<LeaseDesk> desks, Participants held) {
    this.desks = desks;
    this.held = held;
  }

  /** The connection has got such state: it stays with the session. */
  public void pin(Lease lease, Pin pin) {
    Participant participant = hold(lease);
    participant.pins.add(pin);
    if (pin == Pin.TEMPORARY_TABLE) {
      participant.madeTemporaryTable();
    } else if (pin == Pin.USER_LOCK) {
      participant.locked(null);
    }
  }

  private Participant hold(Lease lease) {
    Participant participant = held.find(lease);
    return participant == null ? held.hold(desks.get(), lease) : participant;
  }

  /** Whether some connection has state that later statements may need. */
  public boolean any() {
    return held.arePinned();
  }

  /** Whether some connection has such state. */
  public boolean any(Pin pin) {
    return held.arePinned(pin);
  }

  /** Whether that connection has such state, or cursors. */
  boolean bind(Lease lease) {
    Participant participant = held.find(lease);
    return participant != null && !participant.pins.isEmpty();
  }

  /** The state is gone from one connection, which no command runs on. */
  public void unpin(Lease lease, Pin pin) {
    held.unpin(lease, pin);
  }

  /** The state is gone, on all connections: UNLOCK TABLES. */
  public void unpin(Pin pin) {
    held.unpin(pin);
  }

  /** So many of its temporary tables were dropped on a connection, which no command runs on. */
  public void droppedTemporaryTables(Lease lease, int count) {
    Participant participant = held.find(lease);
    if (participant != null && participant.droppedTemporaryTables(count)) {
      held.unpin(lease, Pin.TEMPORARY_TABLE);
    }
  }

  /**
   * A statement may have taken locks of GET_LOCK.
   *
   * @param names null if they are not known
   */
  public void locked(Lease lease, @Nullable Set<String> names) {
    hold(lease).locked(names);
  }

  /**
   * Names of all locks of GET_LOCK that the connection may have.
   *
   * @return null if not all are known, or if they are too many to be asked for; empty if it has
   *     none
   */
  public @Nullable Set<String> locks(Lease lease) {
    Participant participant = held.find(lease);
    return participant == null ? Set.of() : participant.locks();
  }

  /**
   * A statement has drawn from sequences: the connection stays with the session, which may ask it
   * for what they gave last, as long as nobody waits for a connection.
   *
   * @param surely full names of those that it has drawn from whatever its conditions were
   */
  public void drew(Lease lease, Set<String> surely) {
    hold(lease).drew(surely);
    lease.mayYield();
  }

  /** Whether a connection of the data source would tell what the sequence gave last. */
  public boolean haveDrawn(String dataSource, String sequence) {
    Participant participant = held.find(desks.get(), dataSource);
    return participant != null && participant.hasDrawn(sequence);
  }
}
