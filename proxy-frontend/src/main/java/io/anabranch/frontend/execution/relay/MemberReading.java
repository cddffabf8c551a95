package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementTimes;
import io.anabranch.rules.plan.StatementPlan.Access;
import org.jspecify.annotations.Nullable;

/**
 * The read that a member does for the current statement: counts it while it lasts, and remembers
 * what it proves. On the session's event loop.
 */
final class MemberReading {

  private final CurrentStatement statement;
  private @Nullable Member member;
  private long began;

  MemberReading(CurrentStatement statement) {
    this.statement = statement;
  }

  void begins(Member chosen, Access access) {
    if (access == Access.READ) {
      member = chosen;
      began = statement.attempts().tried() == 0 ? statement.times().planned() : System.nanoTime();
      chosen.readBegins();
    }
  }

  /** It was answered, at {@link StatementTimes#answered}. */
  void ends() {
    Member read = member;
    if (read != null) {
      member = null;
      read.readEnded(statement.times().answered() - began);
      Position awaited = statement.attempts().awaited();
      if (awaited != null && !statement.attempts().primaryOnly()) {
        read.reached(awaited);
      }
    }
  }

  /** It was not. */
  void fails() {
    Member read = member;
    if (read != null) {
      member = null;
      read.readEnded(-1);
    }
  }
}
