package io.anabranch.frontend.local;

import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionLanguage;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.model.TransactionType;
import org.jspecify.annotations.Nullable;

/**
 * What a SET of several may have changed before a database refuses one of them: none of them is to
 * hold then.
 *
 * @param readConsistency null: none was chosen
 * @param next what SET TRANSACTION had said of the next transaction
 */
record BeforeSet(
    Session session,
    SessionLanguage.Said language,
    @Nullable Consistency readConsistency,
    TransactionOptions next,
    TransactionType transactionType,
    boolean consistentReads) {

  static BeforeSet of(Session session) {
    return new BeforeSet(
        session,
        session.language().said(),
        session.reads().chosen(),
        session.transaction().next(),
        session.transactionType(),
        session.consistentReads());
  }

  void restore() {
    session.language().restore(language);
    session.reads().choose(readConsistency);
    session.transaction().restoreNext(next);
    if (session.transactionType() != transactionType) {
      session.transactionType(transactionType);
    }
    session.consistentReads(consistentReads);
  }
}
