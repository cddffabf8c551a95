package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.RelayRequest.Proviso;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the member of a group that runs the current statement, and waits where it must: for a
 * primary, for a replica, for the primary's word on how far it is. On the session's event loop;
 * what it knows of a statement is in the {@link CurrentStatement}.
 */
final class MemberSearch {

  private static final long MOMENT_MILLISECONDS = 50;

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final Found found;

  private String endpoint = "";

  /** Takes what was found. */
  interface Found {
    void found(Member member, Proviso proviso);
  }

  MemberSearch(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      StatementCourse course,
      Found found) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.course = course;
    this.found = found;
  }

  /** Finds a member, now or later; a statement for which there is none fails. */
  void find(String target) {
    endpoint = target;
    Backend on = statement.target().chosen();
    Topology topology = on.topology();
    ReadPolicy policy = topology.reads(endpoint);
    if (policy == null) {
      take(topology, statement.target().access(), null, policy);
    } else if (statement.target().access() == Access.WRITE) {
      session.reads().writes(on, endpoint, session.transaction().isOpen());
      take(topology, Access.WRITE, null, policy);
    } else if (session.members().areBound()) {
      bound(on, policy);
    } else if (statement.ruling().ignoresWrites()) {
      take(topology, Access.READ, null, policy);
    } else if (statement.attempts().primaryOnly()
        || session.reads().needsPrimary(policy, topology, endpoint)) {
      take(topology, Access.WRITE, null, policy);
    } else if (session.reads().consistency(policy) == Consistency.GLOBAL) {
      global(topology, policy);
    } else {
      take(topology, Access.READ, session.reads().needed(policy, topology, on, endpoint), policy);
    }
  }

  /**
   * Whether a statement that could not be sent to the primary may wait for another one: nothing of
   * its transaction has been sent either.
   */
  boolean mayHold() {
    Topology topology = statement.target().chosen().topology();
    return topology.reads(endpoint) != null
        && !session.transaction().hasOpened()
        && topology.mayHold(endpoint, session.members().waiting().since());
  }

  /** The primary cannot be reached, though nobody has noticed yet: looks again in a moment. */
  void later(String target) {
    statement.target().chosen().topology().contradicted(target);
    session.members().forget(target);
    session
        .loop()
        .schedule(
            () -> course.step(() -> find(target)), MOMENT_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  /** In a transaction there is no waiting: a replica that is not far enough is not joined. */
  private void bound(Backend on, ReadPolicy policy) {
    Topology topology = on.topology();
    if (session.members().has(endpoint)) {
      take(topology, Access.READ, null, policy);
      return;
    }
    boolean isGlobal = session.reads().consistency(policy) == Consistency.GLOBAL;
    if (isGlobal || session.reads().needsPrimary(policy, topology, endpoint)) {
      take(topology, Access.WRITE, null, policy);
      return;
    }
    Position needed = session.reads().needed(policy, topology, on, endpoint);
    boolean isFar = needed == null || topology.haveReached(endpoint, needed);
    take(topology, isFar ? Access.READ : Access.WRITE, null, policy);
  }

  private void global(Topology topology, ReadPolicy policy) {
    topology
        .position(endpoint)
        .whenCompleteAsync(
            (position, failure) ->
                course.step(
                    () -> {
                      if (failure == null) {
                        take(topology, Access.READ, position, policy);
                      } else {
                        statement.attempts().primaryOnly(true);
                        topology.countFallBack(endpoint);
                        take(topology, Access.WRITE, null, policy);
                      }
                    }),
            session.loop());
  }

  private void take(
      Topology topology, Access access, @Nullable Position needed, @Nullable ReadPolicy policy) {
    RuntimeException ending = interruption.reason();
    if (ending != null) {
      course.fail(ending);
      return;
    }
    Member member;
    try {
      member = member(topology, access, needed);
    } catch (RefusedException plugIn) {
      course.fail(plugIn);
      return;
    }
    if (member == null) {
      await(access);
      return;
    }
    if (access == Access.WRITE
        && (member.bit() & statement.attempts().tried()) != 0
        && !mayTryAgain(member)) {
      return;
    }
    statement.attempts().member(member);
    found.found(member, proviso(topology, member, access, needed, policy));
  }

  /**
   * A read that only the primary may answer has failed there: it is tried once more at once, for a
   * connection may be older than the database, and later only where another primary may be found.
   *
   * @return whether now
   */
  private boolean mayTryAgain(Member primary) {
    RuntimeException failure = statement.attempts().failure();
    if (!statement.attempts().retried() || failure == null) {
      statement.attempts().retried(true);
      return true;
    }
    if (mayHold()) {
      statement.attempts().mayTry(primary);
      later(endpoint);
    } else {
      course.fail(failure);
    }
    return false;
  }

  private @Nullable Member member(Topology topology, Access access, @Nullable Position needed) {
    Backend on = statement.target().chosen();
    long late = needed == null ? 0 : topology.late(endpoint, needed);
    Member timely =
        late == 0
            ? null
            : session.members().find(on, endpoint, access, statement.attempts().tried() | late);
    return timely == null
        ? session.members().find(on, endpoint, access, statement.attempts().tried())
        : timely;
  }

  private void await(Access access) {
    RuntimeException failure = statement.attempts().failure();
    if (failure != null) {
      course.fail(failure);
      return;
    }
    session
        .members()
        .await(
            statement.target().chosen(),
            endpoint,
            access,
            refusal -> course.step(() -> resume(refusal)));
  }

  private void resume(@Nullable RuntimeException refusal) {
    if (refusal == null) {
      find(endpoint);
    } else {
      course.fail(refusal);
    }
  }

  /** Blocks, and what executes a text, may have done a part of their work. */
  private static boolean isOneStatement(StatementKind kind) {
    return switch (kind) {
      case CALL, EXECUTE, OTHER, PREPARE, SET -> false;
      default -> true;
    };
  }

  private Proviso proviso(
      Topology topology,
      Member member,
      Access access,
      @Nullable Position needed,
      @Nullable ReadPolicy policy) {
    if (policy == null) {
      return Proviso.NONE;
    }
    if (access == Access.WRITE) {
      boolean isRepeatable =
          statement.target().access() == Access.WRITE
              && !session.connections().areBound()
              && isOneStatement(statement.scan().kind())
              && !statement.attempts().isRefusedBy(member);
      return isRepeatable && topology.isDiscovered(endpoint)
          ? Proviso.KEEPS_READ_ONLY
          : Proviso.NONE;
    }
    if (needed == null || member.hasReached(needed) || topology.isPrimary(endpoint, member)) {
      statement.attempts().awaited(null);
      return session.members().areBound() ? Proviso.NONE : Proviso.KEEPS_SHUTDOWN;
    }
    statement.attempts().awaited(needed);
    topology.countWait(endpoint);
    String await = needed.await(policy.consistencyTimeoutMilliseconds());
    return new Proviso(await.getBytes(StandardCharsets.US_ASCII), KeptErrors.SHUTDOWN);
  }
}
