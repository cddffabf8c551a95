package io.anabranch.backend.topology;

import io.anabranch.backend.topology.GroupView.Writes;
import io.anabranch.backend.topology.PrimaryElection.Verdict;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One group in operation: takes what is heard of its members, decides who is the primary and who
 * may be read from, and lets statements wait for a change. Statements look at one immutable {@link
 * GroupView} and take no lock; what is heard is worked on under one.
 */
final class ReplicaGroup {

  private final ReplicationGroup definition;
  private final TopologyListener listener;
  private final PrimaryElection election;
  private final ReplicaChoice choice;
  private final GroupEvents events;
  private final UserWrites writes = new UserWrites();
  private final GroupCounts counts = new GroupCounts();
  private final List<Member> members = new ArrayList<>();
  private final Descent descent;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by lock:
  private final List<MemberHealth> health = new ArrayList<>();
  private long conflictNanos;
  private String told = "";

  private volatile GroupView view;
  private final ViewChanges changes = new ViewChanges();

  /**
   * @param database that it is of, for the log
   */
  ReplicaGroup(
      String database,
      ReplicationGroup definition,
      TopologyListener listener,
      RandomGenerator random) {
    this.definition = definition;
    this.listener = listener;
    this.election = PrimaryElection.of(definition);
    this.choice = new ReplicaChoice(definition.name(), definition.balancing(), random);
    this.descent = new Descent(members, definition.discovery().kind());
    this.events = new GroupEvents(database, definition.name());
    add(definition.primary());
    definition.replicas().forEach(this::add);
    boolean isKnown = definition.discovery().kind() == Discovery.Kind.STATIC;
    this.view =
        new GroupView(
            isKnown ? members.getFirst() : null,
            isKnown ? Writes.OPEN : Writes.HELD,
            isKnown ? "" : "the members have not been asked yet",
            inOrder(members.subList(1, members.size())));
  }

  private void add(String name) {
    var balancing = definition.balancing();
    boolean isLocal =
        balancing.balance() == Balance.LOCAL_ZONE
            && balancing.localZone().equals(balancing.zones().get(name));
    double weight = balancing.weights().getOrDefault(name, 1.0);
    var member = new Member(name, members.size(), weight, isLocal);
    members.add(member);
    health.add(new MemberHealth(member, definition.health()));
  }

  private static List<Member> inOrder(List<Member> readers) {
    return readers.stream().sorted(Comparator.comparing(member -> !member.isLocal())).toList();
  }

  ReplicationGroup definition() {
    return definition;
  }

  List<Member> members() {
    return List.copyOf(members);
  }

  @Nullable Member member(String name) {
    for (Member member : members) {
      if (member.name().equals(name)) {
        return member;
      }
    }
    return null;
  }

  GroupView view() {
    return view;
  }

  /** Why a member that is well takes nothing now; empty if it takes something. */
  String whyIdle(Member member) {
    GroupView now = view;
    if (member.equals(now.primary()) || now.readers().contains(member)) {
      return "";
    }
    String doubt = descent.doubt(member, now.primary());
    return doubt.isEmpty() ? now.reason() : doubt;
  }

  /** All of it as of one moment, for administrators. */
  GroupStatus status() {
    lock.lock();
    try {
      return GroupStatus.of(this);
    } finally {
      lock.unlock();
    }
  }

  void warn(String text) {
    events.warn(text);
  }

  UserWrites writes() {
    return writes;
  }

  GroupCounts counts() {
    return counts;
  }

  List<GroupStatus.Event> events() {
    return events.latest();
  }

  /** One of the fit replicas, whichever; null if there is none. */
  @Nullable Member anyReader() {
    List<Member> readers = view.readers();
    return readers.isEmpty() ? null : readers.getFirst();
  }

  /**
   * A fit replica; null if there is none that has not been tried.
   *
   * @throws io.anabranch.rules.error.RefusedException if a plug-in fails that was to choose
   */
  @Nullable Member reader(long tried) {
    return choice.pick(view.readers(), tried);
  }

  /** See {@link ViewChanges#next}. */
  CompletableFuture<@Nullable Void> nextChange() {
    return changes.next();
  }

  // ---------------------------------------------------------------- what is heard

  void answered(String name, MemberReport report) {
    heard(name, one -> one.answered(report));
  }

  void failed(String name, String reason) {
    heard(name, one -> one.failed(reason));
  }

  void offline(String name, boolean wanted) {
    if (wanted || definition.discovery().kind() == Discovery.Kind.STATIC) {
      heard(name, one -> one.offline(wanted));
    } else {
      heard(name, MemberHealth::asksToReturn);
      listener.contradiction(definition.name());
    }
  }

  /** What it said of itself before is out of date. */
  void refusedWrite(Member member) {
    heard(member.name(), MemberHealth::isReadOnly);
    listener.contradiction(definition.name());
  }

  private interface News {
    void tell(MemberHealth health);
  }

  private void heard(String name, News news) {
    lock.lock();
    try {
      for (MemberHealth one : health) {
        if (one.member().name().equals(name)) {
          MemberState before = one.member().condition().state();
          GroupView old = view;
          news.tell(one);
          // before anything is written: statements go by it
          view = decide(old);
          tell(one.member(), before);
          tell(old, view);
          return;
        }
      }
    } finally {
      lock.unlock();
    }
    throw new IllegalArgumentException(name + " is not in " + definition.name());
  }

  private void tell(Member member, MemberState before) {
    Member.Condition now = member.condition();
    if (now.state() != before) {
      String text = member + " is " + now.state();
      String whole = now.reason().isEmpty() ? text : text + ": " + now.reason();
      if (now.state() == MemberState.ONLINE) {
        events.tell(whole);
      } else {
        events.warn(whole);
      }
      listener.stateChanged(definition.name(), member, before);
    }
  }

  // ---------------------------------------------------------------- what follows from it

  private GroupView decide(GroupView before) {
    Verdict verdict = election.decide(members, before.primary());
    Member primary = null;
    Writes writes = Writes.HELD;
    List<Member> rivals = List.of();
    String reason = "";
    String trouble = "";
    switch (verdict) {
      case Verdict.Primary(Member found) -> {
        conflictNanos = 0;
        primary = found;
        reason = whyHeld(found);
        writes = reason.isEmpty() ? Writes.OPEN : Writes.HELD;
      }
      case Verdict.Stays stays -> {
        conflictNanos = 0;
        primary = stays.member();
        trouble = stays.reason();
        reason = primary == null ? trouble : whyKept(primary);
        writes = reason.isEmpty() ? Writes.OPEN : Writes.HELD;
      }
      case Verdict.Unknown(String why) -> {
        conflictNanos = 0;
        reason = why;
      }
      case Verdict.SplitBrain(List<Member> several) -> {
        rivals = several;
        reason = "several members can be written to: " + several;
        if (isConfirmed(several)) {
          writes = Writes.STOPPED;
        }
      }
    }
    tellTrouble(trouble, primary);
    return new GroupView(primary, writes, reason, inOrder(readers(primary, rivals)));
  }

  private void tellTrouble(String why, @Nullable Member primary) {
    if (!why.isEmpty() && !why.equals(told)) {
      String kept = primary == null ? "no primary is known: " : primary + " stays the primary: ";
      events.warn(kept + why);
    }
    told = why;
  }

  /** The same where nobody says that it still is the primary. */
  private String whyKept(Member primary) {
    return primary.condition().report() != null && primary.isReadOnly()
        ? "the primary " + primary + " is read-only"
        : whyHeld(primary);
  }

  private String whyHeld(Member primary) {
    MemberState state = primary.condition().state();
    if (state == MemberState.OFFLINE_SOFT) {
      return "the primary " + primary + " is being taken out";
    }
    boolean waits = definition.discovery().holdWritesMilliseconds() > 0;
    return state == MemberState.DOWN && waits
        ? "the primary " + primary + " is down: " + primary.condition().reason()
        : "";
  }

  /**
   * One of two answers may be from before a planned change: both must have been asked for after the
   * contradiction showed.
   */
  private boolean isConfirmed(List<Member> several) {
    if (conflictNanos == 0) {
      conflictNanos = System.nanoTime();
      listener.contradiction(definition.name());
      return false;
    }
    for (Member member : several) {
      MemberReport report = member.condition().report();
      if (report != null && report.askedNanos() - conflictNanos < 0) {
        return false;
      }
    }
    return true;
  }

  private List<Member> readers(@Nullable Member primary, List<Member> rivals) {
    var readers = new ArrayList<Member>();
    var suspects = new ArrayList<Member>();
    for (MemberHealth one : health) {
      Member member = one.member();
      boolean isReplica = !member.equals(primary) && !rivals.contains(member);
      if (isReplica
          && member.condition().state() == MemberState.ONLINE
          && descent.doubt(member, primary).isEmpty()) {
        (one.isSuspect() ? suspects : readers).add(member);
      }
    }
    return readers.isEmpty() ? suspects : readers;
  }

  private void tell(GroupView before, GroupView after) {
    boolean isOtherPrimary = after.primary() != before.primary();
    if (isOtherPrimary && after.primary() != null) {
      events.tell(after.primary() + " is the primary");
    }
    if (after.writes() != before.writes()) {
      switch (after.writes()) {
        case OPEN -> events.tell("writes go to " + after.primary());
        case HELD -> events.warn("writes wait: " + after.reason());
        case STOPPED -> events.warn("writes are refused: " + after.reason());
      }
    }
    if (isOtherPrimary) {
      Member primary = after.primary();
      listener.primaryChanged(definition.name(), primary == null ? "" : primary.name());
    }
    if (!after.equals(before)) {
      changes.happened();
    }
  }
}
