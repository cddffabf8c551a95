package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.List;

/**
 * What the copies of a broadcast table answer to one write. One copy is written first, and the
 * others when it has answered: so writers that want the same rows come in one order everywhere, and
 * have locked what they found. Two things no lock keeps alike: the keys that databases make, and in
 * READ COMMITTED the rows that come between two copies.
 */
final class Copies {

  private Copies() {}

  /**
   * @param answers to the same statement, of each copy
   * @param inserts whether it gives its rows itself: those that are there in some copies only are
   *     alike afterwards
   * @throws RefusedException if the copies would differ from then on
   */
  static void requireAlike(List<Answered> answers, boolean inserts) {
    if (answers.stream().mapToLong(each -> each.outcome().lastInsertId()).distinct().count() > 1) {
      throw ErrorCatalogue.BROADCAST_DIFFERS.refuse();
    }
    if (!inserts && answers.stream().mapToLong(Copies::found).distinct().count() > 1) {
      throw ErrorCatalogue.COPIES_CHANGED_APART.refuse();
    }
  }

  /**
   * Rows that a DELETE took, which it may have told, or that an UPDATE found, whether they had
   * their values or not.
   */
  private static long found(Answered answer) {
    ShardOutcome outcome = answer.outcome();
    long matched = OutcomeSum.matched(outcome.info());
    return matched < 0 ? Math.max(answer.rows(), outcome.affectedRows()) : matched;
  }
}
