package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.TransactionStatement;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** BEGIN, COMMIT, ROLLBACK and savepoints. */
final class TransactionCommand {

  void run(SourceText source, Answer answer) {
    SessionTransaction transaction = answer.session().transaction();
    switch (TransactionStatement.parse(source)) {
      case null -> answer.fail(Syntax.near(source));
      case TransactionStatement.Begin begin -> begin(begin, answer);
      case TransactionStatement.Commit commit -> commit(commit, answer);
      case TransactionStatement.Rollback rollback -> rollback(rollback, answer);
      case TransactionStatement.Savepoint savepoint -> {
        transaction.savepoint(savepoint.name());
        answer.ok();
      }
      case TransactionStatement.RollbackTo savepoint -> {
        transaction.rollbackTo(savepoint.name());
        answer.ok();
      }
      case TransactionStatement.ReleaseSavepoint savepoint -> {
        transaction.releaseSavepoint(savepoint.name());
        answer.ok();
      }
    }
  }

  private static void begin(TransactionStatement.Begin begin, Answer answer) {
    Session session = answer.session();
    SessionTransaction transaction = session.transaction();
    var options =
        new TransactionOptions(null, access(begin.readOnly()), begin.consistentSnapshot());
    if (!transaction.hasOpened() && !begin.consistentSnapshot()) {
      endUnopened(transaction);
      transaction.begin(options);
      answer.ok();
      return;
    }
    answer.blocking(
        () -> {
          transaction.commit(false);
          transaction.begin(options);
          if (begin.consistentSnapshot()) {
            transaction.join(primaries(session), session.settings());
          }
          return answer::ok;
        });
  }

  /** A transaction that no database has heard of ends without a word. */
  private static void endUnopened(SessionTransaction transaction) {
    if (transaction.isOpen()) {
      transaction.commit(false);
    }
  }

  private static Set<String> primaries(Session session) {
    Backend backend = session.anyBackend();
    var names = new LinkedHashSet<String>();
    for (String endpoint : backend.database().endpoints()) {
      names.add(session.memberBlocking(backend, endpoint, Access.WRITE).name());
    }
    return names;
  }

  private static void commit(TransactionStatement.Commit commit, Answer answer) {
    SessionTransaction transaction = answer.session().transaction();
    if (commit.release()) {
      answer.closeAfterwards();
    }
    Lease sole = commit.chain() || commit.release() ? null : transaction.soleParticipant();
    if (sole != null && sole.connection() != null) {
      answer.relay(sole, transaction.ending(true));
    } else if (!transaction.hasOpened()) {
      transaction.commit(commit.chain());
      answer.ok();
    } else {
      answer.blocking(
          () -> {
            transaction.commit(commit.chain());
            return answer::ok;
          });
    }
  }

  private static void rollback(TransactionStatement.Rollback rollback, Answer answer) {
    SessionTransaction transaction = answer.session().transaction();
    if (rollback.release()) {
      answer.closeAfterwards();
    }
    Lease sole = rollback.chain() || rollback.release() ? null : transaction.soleParticipant();
    if (sole != null && sole.connection() != null) {
      answer.relay(sole, transaction.ending(false));
    } else if (!transaction.hasOpened()) {
      transaction.rollback(rollback.chain());
      answer.ok();
    } else {
      answer.blocking(
          () -> {
            transaction.rollback(rollback.chain());
            return answer::ok;
          });
    }
  }

  static TransactionOptions.@Nullable Access access(@Nullable Boolean readOnly) {
    if (readOnly == null) {
      return null;
    }
    return readOnly ? TransactionOptions.Access.READ_ONLY : TransactionOptions.Access.READ_WRITE;
  }
}
