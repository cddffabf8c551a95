package io.anabranch.backend.topology;

import io.anabranch.backend.topology.MemberReport.Membership;
import io.anabranch.rules.model.Discovery;
import java.util.ArrayList;
import java.util.List;
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

  static PrimaryElection of(Discovery.Kind kind) {
    return switch (kind) {
      case STATIC -> (members, _) -> new Verdict.Primary(members.getFirst());
      case REPLICATION -> PrimaryElection::byReplication;
      case GROUP_REPLICATION, GALERA -> PrimaryElection::byCluster;
    };
  }

  /** Who is the primary. */
  sealed interface Verdict {

    record Primary(Member member) implements Verdict {}

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

  /** What the cluster calls primary; of several the present one, else the first. */
  private static Verdict byCluster(List<Member> members, @Nullable Member current) {
    Member first = null;
    var states = new ArrayList<String>();
    for (Member member : members) {
      MemberReport report = report(member);
      Membership membership = report == null ? null : report.membership();
      boolean isPrimary =
          membership != null
              && membership.isServing()
              && membership.isPrimary()
              && !isReadOnly(report);
      if (isPrimary && member.equals(current)) {
        return new Verdict.Primary(member);
      }
      if (isPrimary && first == null) {
        first = member;
      }
      states.add(
          member + " " + (membership == null ? member.condition().reason() : membership.state()));
    }
    return first == null
        ? new Verdict.Unknown("the cluster has no primary: " + String.join(", ", states))
        : new Verdict.Primary(first);
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
