package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.ShownWarnings;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.session.Diagnostics;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.NameMapping;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps for the session what a statement of the relay lane leaves behind. */
public final class Remains {

  private static final Set<String> STATEMENTS =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "TABLE", "VALUES", "FOR");

  private final Session session;
  private final CurrentStatement statement;
  private final ProgramEffects programs;
  private final Interruption interruption;
  private final StatementCourse course;

  /** An insert id of which only the connection knows whether it was generated; 0 for none. */
  private long doubted;

  /** LAST_INSERT_ID() of the connection in front of the statement; null: not known. */
  private @Nullable Long before;

  /** What the statement makes of it; 0: it stays. */
  private long last;

  private final KeySlots keySlots = new KeySlots();

  /** A LIMIT left no row of the result: only the connection knows FOUND_ROWS(). */
  private boolean skippedAll;

  public Remains(
      Session session,
      CurrentStatement statement,
      ProgramEffects programs,
      Interruption interruption,
      StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.programs = programs;
    this.interruption = interruption;
    this.course = course;
  }

  /** The statement is sent: notes what LAST_INSERT_ID() of its connection is in front. */
  public void begins(Lease on) {
    BackendConnection connection = on.connection();
    before = connection == null ? null : connection.insertId().get();
  }

  /** What the answer itself tells. */
  public void remember(Lease used, RelayOutcome.Done answer) {
    remember(answer);
    BackendConnection connection = used.connection();
    if (connection != null && answer.lastInsertId() != 0 && doubted == 0) {
      // a key of the proxy's was given to the connection
      boolean isKept = last == 0 || last == statement.target().key().first();
      Long now = isKept ? before : Long.valueOf(last);
      if (now != null) {
        connection.insertId().set(now);
      }
    }
  }

  /** The same of a statement that gives its connection no insert id. */
  public void remember(RelayOutcome.Done answer) {
    doubted = 0;
    last = 0;
    skippedAll = false;
    if (answer.affectedRows() < 0) {
      skippedAll = !rows(session, statement, answer.rows(), answer.warnings());
      session.diagnostics().inserted(answer.rows() > 0 ? statement.target().key().first() : 0);
    } else {
      InsertId id = InsertId.of(statement, answer);
      if (id.isDoubtful()
          && !keySlots.isGiven(
              statement.scan(), session.database().name(), statement.values().slots(), id.told())) {
        doubted = id.told();
      }
      last = id.last();
      session.diagnostics().done(answer.affectedRows(), id.last(), answer.warnings());
    }
  }

  /**
   * A result has been sent.
   *
   * @return whether FOUND_ROWS() is known now
   */
  public static boolean rows(
      Session session, CurrentStatement statement, long count, int warnings) {
    Diagnostics diagnostics = session.diagnostics();
    statement.executed().warned(warnings);
    if (!areCounted(statement)) {
      diagnostics.uncounted(warnings);
      return true;
    }
    diagnostics.rows(count, warnings);
    if (statement.scan().limitsOtherwise()) {
      diagnostics.foundRowsUnknown();
      return false;
    }
    if (statement.scan().offsetSlot() >= 0) {
      long skipped = statement.values().skippedRows();
      if (count > 0) {
        diagnostics.foundRows(skipped + count);
      } else if (skipped > 0) {
        diagnostics.foundRowsUnknown();
        return false;
      }
    }
    return true;
  }

  /** Whether servers tell the rows of such an answer as FOUND_ROWS(). */
  private static boolean areCounted(CurrentStatement statement) {
    return switch (statement.scan().kind()) {
      case INSERT, REPLACE, UPDATE, DELETE, TABLE_MAINTENANCE, HANDLER, OTHER -> false;
      case SHOW -> {
        SqlTokens tokens = statement.source().tokens();
        yield !tokens.isWord(1, "CREATE") && !tokens.isWord(1, "GRANTS");
      }
      case DESCRIBE -> !isExplained(statement.source().tokens());
      default -> true;
    };
  }

  /** Of a statement, not of a table. */
  private static boolean isExplained(SqlTokens tokens) {
    return tokens.from(1).has(i -> STATEMENTS.contains(tokens.word(i)));
  }

  /** Whether the answer alone does not tell what LAST_INSERT_ID() or FOUND_ROWS() is now. */
  public boolean isDoubtful() {
    return doubted != 0 || skippedAll;
  }

  private TemporaryTables tables(Lease used, Aftermath left) {
    OwnTables changed = left.tables();
    return changed == null ? session.database().temporaries() : changed.read(used, session);
  }

  /** What the statement had inside may have been USE. */
  private void follow(Lease used) {
    BackendConnection connection = used.connection();
    String schema = connection == null ? null : connection.takeSchema();
    if (connection != null && schema != null && session.connections().areBound()) {
      session.database().follow(schema, connection.database());
    }
  }

  /** Whether later sessions begin with other values. */
  public static boolean setsGlobals(CurrentStatement statement) {
    Scan scan = statement.scan();
    return scan.kind() == StatementKind.SET
        && (Pins.contains(scan, "global") || Pins.contains(scan, "persist"));
  }

  private void tellGlobals(Lease used) {
    if (setsGlobals(statement)) {
      statement
          .target()
          .chosen()
          .desk()
          .globalsChanged(used.dataSource(), statement.times().started());
    }
  }

  /** A connection without temporary tables binds nobody. */
  private void letGo(Aftermath left) {
    if (left.tables() != null && session.database().temporaries().isEmpty()) {
      session.connections().pins().unpin(Pin.TEMPORARY_TABLE);
    }
  }

  /**
   * What a statement that failed had warned of before. Ends the statement.
   *
   * @param tables which temporary tables it may have left; null: none
   * @param keys it may have made keys, which only the connection tells
   * @param state it may have run statements of its own, down to the one that failed
   */
  public void readFailed(
      Lease used, int errno, @Nullable OwnTables tables, boolean keys, boolean state) {
    NameMapping mapping = statement.target().names();
    boolean isKillLate = interruption.cameLate();
    course.concluding(
        () -> {
          try {
            Aftermath.NONE.readNumbers(used, session, isKillLate);
            var rows = new ArrayList<List<String>>();
            int status = ShownWarnings.read(used, mapping, rows::add).statusFlags();
            // triggers have run before it failed: SHOW WARNINGS is told what they changed, by MySQL
            boolean hasLeftState = programs.haveLeftState(used) || state;
            long insertId = keys ? Aftermath.insertId(used) : 0;
            TemporaryTables own =
                tables == null ? session.database().temporaries() : tables.read(used, session);
            Runnable keep = hasLeftState ? left(used) : () -> {};
            return () -> {
              keep.run();
              session.diagnostics().problems(rows);
              session.diagnostics().inserted(insertId);
              session.database().temporaries(own);
              if (state && !ShardException.Database.endsTransaction(errno)) {
                session.connections().completed(used, status);
              } else {
                session.connections().failed(used, errno, status);
              }
              follow(used);
              course.failed(errno);
            };
          } catch (RuntimeException e) {
            return () -> {
              unread(used, tables != null, e);
              course.failed(errno);
            };
          }
        });
  }

  /** Binds the connection that has state which nobody knows, and reads what the session knows. */
  private Runnable left(Lease used) {
    session.connections().pins().pin(used, Pin.OTHER);
    return Aftermath.NONE.withAllVariables().readVariables(used, session);
  }

  /**
   * What the connection must be asked for, before it goes: questions may come when another session
   * has it. Ends the statement.
   *
   * @param end the answer's last packet, if the client has not got it; null: it has
   */
  public void read(Lease used, RelayOutcome.Done answer, Aftermath left, byte @Nullable [] end) {
    NameMapping mapping = statement.target().names();
    long doubtful = doubted;
    boolean findsRows = skippedAll && !left.foundRows();
    boolean isKillLate = interruption.cameLate();
    course.concluding(
        () -> {
          try {
            boolean areEnded = answer.warnings() > 0 && Aftermath.endsWarnings(used);
            List<List<String>> rows = areEnded ? ShownWarnings.read(used, mapping) : List.of();
            tellGlobals(used);
            // SHOW WARNINGS leaves FOUND_ROWS() what it was
            Runnable keepNumbers = left.readNumbers(used, session, isKillLate);
            long found = findsRows ? Aftermath.foundRows(used) : 0;
            boolean isGenerated = doubtful != 0 && Aftermath.insertId(used) == doubtful;
            if (answer.warnings() > 0 && !areEnded) {
              rows = ShownWarnings.read(used, mapping);
            }
            List<List<String>> warnings = rows;
            // behind the warnings, which they end
            TemporaryTables tables = tables(used, left);
            boolean isLocked =
                left.locks() && UserLocks.areHeld(used, session.connections().pins());
            // last, because the connection may speak UTF-8 then
            Variables variables = variables(used, left, end != null);
            return () -> {
              keepNumbers.run();
              variables.keep().run();
              session.database().temporaries(tables);
              if (findsRows) {
                session.diagnostics().foundRows(found);
              }
              session.diagnostics().inserted(isGenerated ? doubtful : 0);
              if (doubtful != 0 && !isGenerated) {
                keySlots.given(
                    statement.scan(),
                    session.database().name(),
                    statement.values().slots(),
                    doubtful);
              }
              session.diagnostics().warningRows(warnings);
              session.connections().completed(used, answer.statusFlags());
              follow(used);
              letGo(left);
              if (answer.warnings() == 0) {
                // a statement that warned may have dropped less than it names
                Pins.over(statement.scan(), statement::source, session.connections(), used);
              }
              if (left.locks() && !isLocked) {
                session.connections().pins().unpin(used, Pin.USER_LOCK);
              }
              answered(end, variables.refusal());
            };
          } catch (RuntimeException e) {
            return () -> {
              unread(used, !left.isEmpty() || doubtful != 0, e);
              answered(end, null);
            };
          }
        });
  }

  /**
   * @param refusal the session does not get them: the connection has values that nobody knows
   */
  private record Variables(Runnable keep, @Nullable RefusedException refusal) {}

  private Variables variables(Lease used, Aftermath left, boolean canTell) {
    try {
      return new Variables(left.readVariables(used, session), null);
    } catch (RefusedException tooMuch) {
      if (!canTell || left.others()) {
        throw tooMuch;
      }
      return new Variables(() -> left.leaveVariables(used), tooMuch);
    }
  }

  private void answered(byte @Nullable [] end, @Nullable RefusedException refusal) {
    if (refusal != null) {
      course.fail(refusal);
      return;
    }
    if (end != null) {
      session.sink().sequence(session.sink().sequence() + 1);
      session.sink().send(Unpooled.wrappedBuffer(end));
    }
    course.succeeded();
  }

  /**
   * The client has its answer already.
   *
   * @param needed whether later answers would be wrong without what the statement left
   */
  private void unread(Lease used, boolean needed, RuntimeException why) {
    String reason = "reading what the statement left failed: " + why.getMessage();
    if (needed && why instanceof RefusedException refusal) {
      session.connections().lostBehindAnswer(used, reason, refusal);
    } else if (needed) {
      session.connections().lostBehindAnswer(used, reason);
    } else {
      session.connections().lost(used, reason);
    }
  }
}
