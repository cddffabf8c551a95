package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.Commands;
import io.anabranch.rules.error.ErrorCatalogue;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connections that a session holds beyond one statement. Not thread-safe. */
final class Participants {

  private final List<Participant> held = new ArrayList<>();

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Whether the session could do without all that it holds. */
  boolean allYield() {
    for (Participant participant : held) {
      if (!participant.yields()) {
        return false;
      }
    }
    return true;
  }

  /** Gives back what the session can do without where others wait for it. */
  void yieldWanted() {
    for (int i = held.size() - 1; i >= 0; i--) {
      Participant participant = held.get(i);
      if (participant.yields() && participant.lease.isWanted()) {
        held.remove(i).letGo();
      }
    }
  }

  /**
   * Gives one connection back, if the session can do without it.
   *
   * @return whether it has
   */
  boolean giveUp(Lease lease) {
    Participant participant = find(lease);
    boolean yields = participant != null && participant.yields() && held.remove(participant);
    if (yields && participant != null) {
      participant.letGo();
    }
    return yields;
  }

  /** Whether there is one that the session's statements have to run on. */
  boolean bind() {
    for (Participant participant : held) {
      if (participant.binds()) {
        return true;
      }
    }
    return false;
  }

  Participant hold(LeaseDesk desk, Lease lease) {
    var participant = new Participant(desk, lease);
    held.add(participant);
    return participant;
  }

  @Nullable Participant find(LeaseDesk desk, String dataSource) {
    for (Participant participant : held) {
      if (participant.isOf(desk, dataSource)) {
        return participant;
      }
    }
    return null;
  }

  @Nullable Participant find(Lease lease) {
    for (Participant participant : held) {
      if (participant.has(lease)) {
        return participant;
      }
    }
    return null;
  }

  /** The lease as it is now of a connection that may have become another data source's. */
  Lease moved(Lease before) {
    for (Participant participant : held) {
      if (participant.lease instanceof MovedLease moved && moved.isOf(before)) {
        return moved;
      }
    }
    return before;
  }

  /** Whether the connection is part of the open transaction. */
  boolean takesPart(Lease lease) {
    Participant participant = find(lease);
    return participant != null && participant.isOpened();
  }

  /** Those that take part in the open transaction, in the order in which they joined. */
  List<Participant> opened() {
    var opened = new ArrayList<Participant>(held.size());
    for (Participant participant : held) {
      if (participant.isOpened()) {
        opened.add(participant);
      }
    }
    return opened;
  }

  boolean hasOpened() {
    for (Participant participant : held) {
      if (participant.isOpened()) {
        return true;
      }
    }
    return false;
  }

  /** The only one in the transaction; null if there is none or there are several. */
  @Nullable Participant sole() {
    Participant sole = null;
    for (Participant participant : held) {
      if (participant.isOpened()) {
        if (sole != null) {
          return null;
        }
        sole = participant;
      }
    }
    return sole;
  }

  /** Whether another one than {@code mine} has changed anything in the transaction. */
  boolean changesElsewhere(@Nullable Participant mine) {
    for (Participant participant : held) {
      if (participant != mine && participant.isOpened() && participant.changes()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether another command may wait for the next statement.
   *
   * @throws io.anabranch.rules.error.RefusedException AB2002 if as many wait as may
   */
  void requireRoom() {
    if (held.stream().anyMatch(participant -> participant.isOpened() && participant.isFull())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "more than " + Participant.MOST_PENDING + " statements about savepoints in a row",
          "run another statement between them");
    }
  }

  /** To be said in front of the next statement by all that take part. */
  void queueOnOpened(String command) {
    for (Participant participant : held) {
      if (participant.isOpened()) {
        participant.queue(command);
      }
    }
  }

  /** Runs what is still due on the connections of the transaction; blocks. */
  List<Branch> flushOpened() {
    var branches = new ArrayList<Branch>(held.size());
    for (Participant participant : held) {
      if (participant.isOpened()) {
        for (byte[] command : participant.pending()) {
          Commands.run(participant.lease, command);
        }
        participant.sent();
        branches.add(participant.branch());
      }
    }
    return branches;
  }

  /** Whether those that take part are all on that event loop, with nothing that is still due. */
  boolean areIdleOn(EventLoop loop) {
    for (Participant participant : held) {
      if (participant.isOpened() && !participant.isIdleOn(loop)) {
        return false;
      }
    }
    return true;
  }

  List<Branch> branches() {
    return opened().stream().map(Participant::branch).toList();
  }

  /**
   * All become connections of another data source of the same server.
   *
   * @return false if one of them cannot, and nothing has changed
   */
  boolean move(LeaseDesk to, String dataSource, String schema, boolean areThere) {
    for (Participant participant : held) {
      if (!participant.isMovable()) {
        return false;
      }
    }
    held.replaceAll(participant -> participant.movedTo(to, dataSource, schema, areThere));
    return true;
  }

  /** The connection is gone. */
  void remove(Participant participant) {
    held.remove(participant);
  }

  /** Releases a connection that nothing binds to the session any more. */
  void letGo(Participant participant) {
    if (participant.isFree() && held.remove(participant)) {
      participant.letGo();
    }
  }

  void letGoAll() {
    for (Participant participant : List.copyOf(held)) {
      letGo(participant);
    }
  }

  /** Those that have what the session cannot have again. */
  List<Participant> stateful() {
    return arePinned() ? held.stream().filter(Participant::hasState).toList() : List.of();
  }

  /** Whether there is anything but cursors, and what a transaction is. */
  boolean arePinned() {
    for (Participant participant : held) {
      if (participant.hasState()) {
        return true;
      }
    }
    return false;
  }

  boolean arePinned(Pin pin) {
    for (Participant participant : held) {
      if (participant.pins.contains(pin)) {
        return true;
      }
    }
    return false;
  }

  /** Those connections that have such state. */
  List<Participant> pinned(Pin pin) {
    return held.stream().filter(participant -> participant.pins.contains(pin)).toList();
  }

  void unpin(Pin pin) {
    for (Participant participant : List.copyOf(held)) {
      if (participant.unpin(pin)) {
        letGo(participant);
      }
    }
  }

  void unpin(Lease lease, Pin pin) {
    Participant participant = find(lease);
    if (participant != null && participant.unpin(pin)) {
      letGo(participant);
    }
  }

  /**
   * Takes out of the session what takes part in its transaction; pinned connections stay and roll
   * back in front of their next statement.
   */
  List<Branch> takeOpened() {
    var branches = new ArrayList<Branch>(held.size());
    for (Participant participant : List.copyOf(held)) {
      if (!participant.isOpened()) {
        letGo(participant);
      } else if (participant.pins.isEmpty() && participant.isUncommitting()) {
        held.remove(participant);
        participant.letGo();
      } else if (participant.pins.isEmpty()) {
        held.remove(participant);
        branches.add(participant.branch());
      } else {
        participant.rollbackLater();
      }
    }
    return branches;
  }

  /** Whether there are {@link #rollingBack} ones. */
  boolean areRollingBack() {
    for (Participant participant : held) {
      if (participant.rollsBack()) {
        return true;
      }
    }
    return false;
  }

  /** Those of pinned connections whose transaction was given up, and is open at the database. */
  List<Participant> rollingBack() {
    return held.stream().filter(Participant::rollsBack).toList();
  }

  void discardAll() {
    for (Participant participant : held) {
      if (participant.yields()) {
        participant.letGo();
      } else {
        participant.lease.discard("session ended with " + participant.pins);
      }
    }
    held.clear();
  }
}
