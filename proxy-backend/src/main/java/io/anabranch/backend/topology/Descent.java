package io.anabranch.backend.topology;

import io.anabranch.backend.topology.MemberReport.Source;
import io.anabranch.rules.model.Discovery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether replicas get their data from the primary, perhaps through others. */
final class Descent {

  private static final int MOST_HOPS = 8;

  private final List<Member> members;
  private final Discovery.Kind kind;

  /**
   * @param members of the group; may still be filled
   */
  Descent(List<Member> members, Discovery.Kind kind) {
    this.members = members;
    this.kind = kind;
  }

  /** Why a replica does not show what the primary has; empty if it does, sooner or later. */
  String doubt(Member replica, @Nullable Member primary) {
    Source source = source(replica);
    if (source != null && isCutOff(source, primary)) {
      return "gets nothing from its source: " + source.state();
    }
    boolean isAsynchronous = kind == Discovery.Kind.REPLICATION && primary != null;
    return isAsynchronous && !follows(replica, primary) ? "does not follow " + primary : "";
  }

  private boolean follows(Member replica, @Nullable Member primary) {
    Member at = replica;
    for (int hops = 0; at != null && hops < MOST_HOPS; hops++) {
      if (at.equals(primary)) {
        return true;
      }
      Source source = source(at);
      if (source == null) {
        return false;
      }
      if (source.identity().isEmpty()) {
        return true;
      }
      at = byIdentity(source.identity());
    }
    return false;
  }

  /**
   * One that has lost a primary that is well gets old unnoticed. While the primary is gone, nobody
   * is newer.
   */
  private static boolean isCutOff(Source source, @Nullable Member primary) {
    return !source.isConnected()
        && primary != null
        && primary.condition().state() == MemberState.ONLINE;
  }

  private static @Nullable Source source(Member replica) {
    MemberReport report = replica.condition().report();
    return report == null ? null : report.source();
  }

  private @Nullable Member byIdentity(String identity) {
    for (Member member : members) {
      MemberReport report = member.condition().report();
      if (report != null && report.identity().equals(identity)) {
        return member;
      }
    }
    return null;
  }
}
