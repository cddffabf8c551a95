package io.anabranch.frontend.local;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.current.SyntaxProbe;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.TransactionStatement;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** BEGIN, COMMIT, ROLLBACK and savepoints. */
final class TransactionCommand {

  void run(SourceText source, Answer answer) {
    SessionTransaction transaction = answer.session().transaction();
    if (transaction.connections().pins().any(Pin.XA)) {
      // the database refuses it, or says why not
      answer.plan();
      return;
    }
    switch (TransactionStatement.parse(source)) {
      case null -> SyntaxProbe.fail(source, Syntax.afterFirstWord(source), answer);
      case TransactionStatement.Begin _ when beginsBlock(source, answer.session()) ->
          SyntaxProbe.fail(source, Syntax.afterFirstWord(source), answer);
      case TransactionStatement.Begin begin -> {
        if (LockCommand.areHeld(answer.session())) {
          LockCommand.unlock(answer, () -> begin(begin, answer));
        } else {
          begin(begin, answer);
        }
      }
      case TransactionStatement.Commit commit -> end(commit.ending(), true, answer);
      case TransactionStatement.Rollback rollback -> end(rollback.ending(), false, answer);
      case TransactionStatement.Savepoint(String name) ->
          named(source, answer, () -> transaction.savepoint(name));
      case TransactionStatement.RollbackTo(String name) -> {
        Lease owner = transaction.ownerOfSavepoints();
        if (owner != null) {
          answer.relay(owner, transaction.rollingBackTo(name));
        } else {
          named(source, answer, () -> transaction.rollbackTo(name));
        }
      }
      case TransactionStatement.ReleaseSavepoint(String name) -> {
        Lease owner = transaction.ownerOfSavepoints();
        if (owner != null) {
          answer.relay(owner, transaction.releasing(name));
        } else {
          named(source, answer, () -> transaction.releaseSavepoint(name));
        }
      }
    }
  }

  /** Whether BEGIN is no statement: by {@code sql_mode=ORACLE} a block begins, without an end. */
  private static boolean beginsBlock(SourceText source, Session session) {
    return source.tokens().isWord(0, "BEGIN") && session.settings().modes().contains("ORACLE");
  }

  /** Does something with a savepoint, if the server takes its name for one. */
  private static void named(SourceText source, Answer answer, Runnable work) {
    Runnable all =
        () -> {
          work.run();
          answer.ok();
        };
    if (TransactionStatement.mayBeMisnamed(source)) {
      SyntaxProbe.unless(source, answer, all);
    } else {
      all.run();
    }
  }

  private static void begin(TransactionStatement.Begin begin, Answer answer) {
    Session session = answer.session();
    SessionTransaction transaction = session.transaction();
    TransactionOptions options = options(begin, session);
    if (!transaction.hasOpened() && !options.consistentSnapshot()) {
      endUnopened(transaction);
      transaction.begin(options, session.settings());
      session.changes().transaction(true);
      answer.ok();
      return;
    }
    answer.blocking(
        () -> {
          if (!transaction.isGone()) {
            transaction.commit(false);
          }
          transaction.begin(options, session.settings());
          if (options.consistentSnapshot()) {
            snapshot(session);
          }
          session.changes().transaction(true);
          return answer::ok;
        });
  }

  /** What is said, and what the session's variables say where it is not. */
  private static TransactionOptions options(TransactionStatement.Begin begin, Session session) {
    Boolean readOnly = begin.readOnly();
    boolean isSaid = readOnly != null || session.transaction().saysNextAccess();
    if (!isSaid && session.settings().isReadOnly()) {
      readOnly = true;
    }
    return new TransactionOptions(
        null, access(readOnly), begin.consistentSnapshot() || session.consistentReads());
  }

  /** A transaction that no database has heard of ends without a word. */
  private static void endUnopened(SessionTransaction transaction) {
    if (transaction.isOpen() && !transaction.isGone()) {
      transaction.commit(false);
    }
  }

  private static void snapshot(Session session) {
    session
        .transaction()
        .snapshot(
            primaries(session), session.settings(), session.deployment().coordinators().barrier());
  }

  private static Set<String> primaries(Session session) {
    Backend backend = session.anyBackend();
    var names = new LinkedHashSet<String>();
    for (String endpoint : backend.database().endpoints()) {
      names.add(session.members().findBlocking(backend, endpoint, Access.WRITE).name());
    }
    return names;
  }

  private static void end(TransactionStatement.Ending ending, boolean commit, Answer answer) {
    Session session = answer.session();
    SessionTransaction transaction = session.transaction();
    Completion completion = Completion.of(ending, session);
    transaction.forgetNext();
    if (completion.release()) {
      answer.closeAfterwards();
    }
    boolean chains = completion.chain();
    Lease sole = chains || completion.release() ? null : transaction.soleParticipant();
    if (sole != null && sole.connection() != null) {
      answer.relay(sole, transaction.ending(commit));
    } else if (!transaction.hasOpened() && !(chains && session.consistentReads())) {
      end(session, commit, chains);
      answer.ok();
    } else if (transaction.endsWithoutBlocking() && !(chains && session.consistentReads())) {
      track(session, chains);
      answer.awaiting(
          ended ->
              transaction.end(
                  commit,
                  chains,
                  failure -> {
                    answer.warned(transaction.takeWarned());
                    ended.accept(failure);
                  }));
    } else {
      answer.blocking(
          () -> {
            end(session, commit, chains);
            return () -> {
              answer.warned(transaction.takeWarned());
              answer.ok();
            };
          });
    }
  }

  private static void track(Session session, boolean chains) {
    if (session.transaction().isOpen() || chains) {
      session.changes().transaction(chains);
    }
  }

  private static void end(Session session, boolean commit, boolean chains) {
    track(session, chains);
    SessionTransaction transaction = session.transaction();
    if (commit) {
      transaction.commit(chains);
    } else {
      transaction.rollback(chains);
    }
    if (chains && session.consistentReads()) {
      snapshot(session);
    }
  }

  /**
   * What comes after COMMIT or ROLLBACK.
   *
   * @param chain another transaction begins at once
   * @param release the connection is closed
   */
  private record Completion(boolean chain, boolean release) {

    /** What is not said is said by {@code completion_type}. */
    static Completion of(TransactionStatement.Ending ending, Session session) {
      String type = session.settings().variables().get("completion_type");
      String name = type == null ? "" : type.replace("'", "").toUpperCase(Locale.ROOT);
      boolean chains = name.equals("CHAIN") || name.equals("1");
      boolean releases = name.equals("RELEASE") || name.equals("2");
      Boolean chain = ending.chain();
      Boolean release = ending.release();
      boolean isReleased = release == null ? releases && chain == null : release;
      boolean isChained = chain == null ? chains && !isReleased : chain;
      return new Completion(isChained, isReleased && !isChained);
    }
  }

  static TransactionOptions.@Nullable Access access(@Nullable Boolean readOnly) {
    if (readOnly == null) {
      return null;
    }
    return readOnly ? TransactionOptions.Access.READ_ONLY : TransactionOptions.Access.READ_WRITE;
  }
}
