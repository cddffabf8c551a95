package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.relay.RelayCommand;
import io.anabranch.backend.relay.ResponseForm;
import io.anabranch.backend.transaction.ConnectionPins;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.LockingPrograms;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.Charset;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks of GET_LOCK that the current statement may take or release in a stored function, a trigger
 * or a view: see {@link LockingPrograms}.
 */
final class ProgramLocks {

  private final Session session;
  private final CurrentStatement statement;
  private final StatementCourse course;

  private boolean mayChange;
  private @Nullable Set<String> locks = Set.of();

  ProgramLocks(Session session, CurrentStatement statement, StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.course = course;
  }

  /** Whether it is known that the endpoint has no such programs. */
  boolean areNone(String endpoint) {
    LockingPrograms programs = statement.targetBackend().programs();
    mayChange = false;
    LockingPrograms.Found found = programs.known(endpoint);
    if (found == null) {
      return false;
    }
    if (programs.areStale(endpoint, found, statement.planned)) {
      session.background().execute(() -> programs.ask(endpoint));
    }
    return found.isEmpty();
  }

  /** Runs {@code then} here, at once where the endpoint's programs are known. */
  void know(String endpoint, RelayCommand command, Runnable then) {
    LockingPrograms programs = statement.targetBackend().programs();
    LockingPrograms.Found found = programs.known(endpoint);
    if (found != null) {
      mention(found, command);
      then.run();
    } else {
      course.blocking(
          () -> {
            LockingPrograms.Found asked = programs.ask(endpoint);
            return () -> {
              mention(asked, command);
              then.run();
            };
          });
    }
  }

  private void mention(LockingPrograms.Found programs, RelayCommand command) {
    if (!programs.isEmpty() && UserLocks.runs(statement.scan)) {
      byte[] sql = sql(command);
      mayChange = programs.areMentioned(sql);
      locks = programs.locks(sql);
    }
  }

  private byte[] sql(RelayCommand command) {
    return switch (command) {
      case RelayCommand.Query(byte[] sql, ResponseForm _) -> sql;
      case RelayCommand.Execute execute -> execute.query().sql();
      case RelayCommand.Bulk bulk -> bulk.query().sql();
      case RelayCommand.Open open -> open.query().sql();
      case RelayCommand.Packet _, RelayCommand.Fetch _ -> statement.sql();
    };
  }

  /** The next command has no part in this. */
  void clear() {
    mayChange = false;
  }

  /** Whether the statement may have taken or released one. */
  boolean mayChange() {
    return mayChange;
  }

  /** The statement has run: notes which ones it may have taken. */
  void taken(ConnectionPins pins, Lease lease) {
    if (mayChange) {
      pins.locked(lease, locks);
    }
  }

  /** Whether SET with such values may take or release one. Blocks. */
  static boolean mayChange(String assignments, Backend backend, String endpoint, Charset charset) {
    return assignments.indexOf('(') >= 0
        && found(backend.programs(), endpoint).areMentioned(assignments.getBytes(charset));
  }

  private static LockingPrograms.Found found(LockingPrograms programs, String endpoint) {
    LockingPrograms.Found known = programs.known(endpoint);
    return known == null || programs.areStale(endpoint, known, System.nanoTime())
        ? programs.ask(endpoint)
        : known;
  }

  /**
   * Refuses a plan that runs such a program on connections that do not stay. Blocks.
   *
   * @throws RefusedException AB2001
   */
  static void refuse(PlanNode plan, LockingPrograms programs) {
    for (ShardQuery query : PlanPrinter.queries(plan)) {
      if (found(programs, query.dataSource()).areMentioned(query.sql())) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a function, trigger or view that calls GET_LOCK",
            "restrict the statement to one shard by conditions on the sharding columns");
      }
    }
  }
}
