package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** A connection that a session holds beyond one statement. */
final class Participant {

  final Lease lease;
  final EnumSet<Pin> pins = EnumSet.noneOf(Pin.class);

  /** Commands that have to run in front of the next statement, in order. */
  private final List<byte[]> pending = new ArrayList<>();

  private final LeaseDesk desk;
  private boolean opened;

  /**
   * @param desk where the lease is from: names of data sources are unique within one desk only
   */
  Participant(LeaseDesk desk, Lease lease) {
    this.desk = desk;
    this.lease = lease;
  }

  @SuppressWarnings("ReferenceEquality") // desks and leases are told apart by identity
  boolean isOf(LeaseDesk from, String dataSource) {
    return desk == from && lease.dataSource().equals(dataSource);
  }

  @SuppressWarnings("ReferenceEquality") // desks and leases are told apart by identity
  boolean has(Lease candidate) {
    return lease == candidate;
  }

  /** Whether it is part of the open transaction. */
  boolean isOpened() {
    return opened;
  }

  /** The database has opened the transaction already. */
  void adopt() {
    opened = true;
  }

  void open(List<String> commands) {
    opened = true;
    commands.forEach(this::queue);
  }

  void queue(String command) {
    pending.add(command.getBytes(StandardCharsets.UTF_8));
  }

  List<byte[]> pending() {
    return pending;
  }

  void sent() {
    pending.clear();
  }

  /** The transaction is over on this connection. */
  void ended() {
    opened = false;
    pending.clear();
  }
}
