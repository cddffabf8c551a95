package io.anabranch.backend.topology;

import io.anabranch.backend.topology.MemberReport.Membership;
import io.anabranch.rules.discovery.PrimaryDiscovery;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.ReplicationGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the primary is found among what the members say. Nothing here promotes anybody: it is the
 * databases', and their tools', to decide; this follows. Stateless.
 */
interface PrimaryElection {

  /**
   * @param members in the configured order, the configured writer first
   * @param current the primary so far; null: none is known
   */
  Verdict decide(List<Member> members, @Nullable Member current);

  static PrimaryElection of(ReplicationGroup group) {
    return switch (group.discovery().kind()) {
      case STATIC -> (members, _) -> new Verdict.Primary(members.getFirst());
      case REPLICATION -> PrimaryElection::byReplication;
      case GROUP_REPLICATION -> PrimaryElection::byCluster;
      case GALERA -> PrimaryElection::byGalera;
      case PLUG_IN -> {
        PrimaryDiscovery plugIn = Objects.requireNonNull(group.discovery().plugIn());
        yield (members, current) -> byPlugIn(group.name(), plugIn, members, current);
      }
    };
  }

  /** Who is the primary. */
  sealed interface Verdict {

    record Primary(Member member) implements Verdict {}

    /**
     * Who could say it does not; the one that it was goes on.
     *
     * @param member null: none was known, and writes wait
     * @param reason for people
     */
    record Stays(@Nullable Member member, String reason) implements Verdict {}

    /**
     * @param reason for people
     */
    record Unknown(String reason) implements Verdict {}

    /** Several could be written to, and their writes would never meet. */
    record SplitBrain(List<Member> members) implements Verdict {}
  }

  /**
   * The one that can be written to. If several can: the one among them that follows nobody, because
   * a replica that was not made read-only is still a replica.
   */
  private static Verdict byReplication(List<Member> members, @Nullable Member current) {
    var writable = new ArrayList<Member>();
    var independent = new ArrayList<Member>();
    var asked = new ArrayList<String>();
    for (Member member : members) {
      MemberReport report = report(member);
      if (report == null) {
        asked.add(member + " " + member.condition().reason());
      } else if (report.isReadOnly()) {
        asked.add(member + " is read-only");
      } else {
        writable.add(member);
        if (report.source() == null) {
          independent.add(member);
        }
      }
    }
    if (writable.isEmpty()) {
      return new Verdict.Unknown("no member can be written to: " + String.join(", ", asked));
    }
    List<Member> candidates = independent.isEmpty() ? writable : independent;
    return candidates.size() == 1
        ? new Verdict.Primary(candidates.getFirst())
        : new Verdict.SplitBrain(candidates);
  }

  /** What it names, as long as that can be written to. */
  private static Verdict byPlugIn(
      String group, PrimaryDiscovery plugIn, List<Member> members, @Nullable Member current) {
    Optional<String> answer;
    try {
      answer =
          plugIn.primary(
              group, List.copyOf(members), Optional.ofNullable(current).map(Member::name));
    } catch (RefusedException failed) {
      String why = String.valueOf(failed.getMessage());
      return new Verdict.Stays(current, why);
    }
    Member found =
        members.stream()
            .filter(member -> answer.filter(member.name()::equals).isPresent())
            .findFirst()
            .orElse(null);
    if (found == null) {
      return new Verdict.Unknown("the discovery knows no primary");
    }
    String named = found + ", which the discovery names, ";
    if (found.condition().report() == null) {
      return new Verdict.Unknown(named + "has not answered yet");
    }
    return found.isReadOnly()
        ? new Verdict.Unknown(named + "is read-only")
        : new Verdict.Primary(found);
  }

  /** Any node could be it: the configured one is given the time to answer. */
  private static Verdict byGalera(List<Member> members, @Nullable Member current) {
    Member configured = members.getFirst();
    boolean isAsked =
        configured.condition().report() != null
            || configured.condition().state() == MemberState.DOWN;
    return current == null && !isAsked
        ? new Verdict.Unknown(configured + " has not answered yet")
        : byCluster(members, current);
  }

  /**
   * What the cluster calls primary; of several the present one, else the first, and one that is
   * being taken out only if there is no other.
   */
  private static Verdict byCluster(List<Member> members, @Nullable Member current) {
    Member best = null;
    var states = new ArrayList<String>();
    for (Member member : members) {
      MemberReport report = report(member);
      Membership membership = report == null ? null : report.membership();
      if (membership != null
          && membership.isServing()
          && membership.isPrimary()
          && !isReadOnly(report)
          && (best == null || preference(member, current) > preference(best, current))) {
        best = member;
      }
      states.add(
          member + " " + (membership == null ? member.condition().reason() : membership.state()));
    }
    return best == null
        ? new Verdict.Unknown("the cluster has no primary: " + String.join(", ", states))
        : new Verdict.Primary(best);
  }

  private static int preference(Member member, @Nullable Member current) {
    int stays = member.condition().state() == MemberState.OFFLINE_SOFT ? 0 : 2;
    return stays + (member.equals(current) ? 1 : 0);
  }

  private static boolean isReadOnly(@Nullable MemberReport report) {
    return report == null || report.isReadOnly();
  }

  /** The last answer of a member that is not down. */
  private static @Nullable MemberReport report(Member member) {
    Member.Condition condition = member.condition();
    return condition.state() == MemberState.DOWN ? null : condition.report();
  }
}
