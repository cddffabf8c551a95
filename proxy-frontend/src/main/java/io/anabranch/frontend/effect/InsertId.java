package io.anabranch.frontend.effect;

import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.syntax.SessionWords;

/**
 * What the answer to a statement tells of its rows' keys, in both lanes. An OK packet tells a key
 * that a row was given like one that was generated; LAST_INSERT_ID() is what was generated, or what
 * LAST_INSERT_ID(expression) gave it. Of {@code INSERT INTO t VALUES (7, 'a')} they are 7 and what
 * it was.
 *
 * @param told what the OK packet says, unsigned; 0: nothing
 * @param last what LAST_INSERT_ID() is behind the statement, unsigned; 0: what it was
 * @param isDoubtful whether {@code last} may be {@code told} nevertheless: only the connection
 *     knows
 */
public record InsertId(long told, long last, boolean isDoubtful) {

  private InsertId(long told, long last) {
    this(told, last, false);
  }

  /** Of the relay lane, whose answer has the proxy's own key in it already. */
  static InsertId of(CurrentStatement statement, RelayOutcome.Done answer) {
    long told = answer.lastInsertId();
    if (told == 0) {
      return new InsertId(0, 0);
    }
    if (updatesRow(statement, answer.affectedRows())) {
      return new InsertId(told, given(statement, told));
    }
    boolean isDoubtful = mayBeGiven(statement, told);
    return new InsertId(told, isDoubtful ? 0 : told, isDoubtful);
  }

  /**
   * Of the merge lane.
   *
   * @param effect rows affected, or those that RETURNING gave
   */
  public static InsertId of(CurrentStatement statement, MergeOutcome.Done answer, long effect) {
    long last = last(statement, answer, effect);
    Long given = answer.givenId();
    long ofRows = given == null ? answer.lastInsertId() : isTold(statement) ? given : 0;
    return new InsertId(last == 0 ? ofRows : last, last);
  }

  private static long last(CurrentStatement statement, MergeOutcome.Done answer, long effect) {
    GeneratedKey key = statement.target().key();
    if (key.first() != 0 && key.told(effect, answer.lastInsertId()) == key.first()) {
      return key.first();
    }
    Long given = answer.givenId();
    long ofRow = answer.lastInsertId() == 0 && given != null ? given : answer.lastInsertId();
    if (ofRow != 0 && updatesRow(statement, effect)) {
      return given(statement, ofRow);
    }
    if (given == null) {
      return answer.lastInsertId();
    }
    boolean isNew = effect == 1 && statement.source().tokens().mention("DUPLICATE");
    return isNew || !statement.scan().mentionsLastInsertId() ? 0 : given(statement, ofRow);
  }

  /** Servers tell no key that the rows of a query had where those may update others. */
  private static boolean isTold(CurrentStatement statement) {
    SqlTokens tokens = statement.source().tokens();
    return !tokens.mention("DUPLICATE") || !InsertedRows.areOfQuery(tokens);
  }

  /** Whether the row of an INSERT was there, and the key is that row's. */
  private static boolean updatesRow(CurrentStatement statement, long affectedRows) {
    Scan scan = statement.scan();
    return affectedRows != 1
        && scan.kind() == StatementKind.INSERT
        && !scan.hasComments()
        && statement.command().bulk() == null
        && Pins.contains(scan, "duplicate")
        && InsertedRows.isOneThatMayUpdate(statement.source().tokens());
  }

  /** The key where the statement itself says LAST_INSERT_ID(expression); 0: it does not. */
  private static long given(CurrentStatement statement, long key) {
    SqlTokens tokens = statement.source().tokens();
    return SessionWords.giveInsertId(tokens, tokens.all()) ? key : 0;
  }

  /** CREATE TABLE … SELECT: servers tell the keys of its rows, generated or not. */
  static boolean definesRows(Scan scan) {
    return scan.kind() == StatementKind.CREATE && Pins.contains(scan, "select");
  }

  private static boolean mayBeGiven(CurrentStatement statement, long key) {
    if (definesRows(statement.scan())) {
      return true;
    }
    return statement.scan().kind().inserts()
        && key != statement.target().key().first()
        && GivenKey.isPossible(statement.scan(), statement.values().slots(), key);
  }
}
