package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.List;

/**
 * What the copies of a broadcast table answer to one write. One copy is written first, and the
 * others when it has answered: so writers that want the same rows come in one order everywhere, and
 * have locked what they found. The keys that the first database makes are handed to the others,
 * whose counters stand elsewhere whenever one of them has refused a row that it had counted. What
 * no lock keeps alike are the rows that come between two copies in READ COMMITTED.
 */
final class Copies {

  private Copies() {}

  /**
   * Has the others give their rows the keys of the first copy's, when they get the same statement.
   *
   * @param first whose statement is at its end
   * @param made the first key that its database made, unsigned; 0: none. LAST_INSERT_ID(value)
   *     would count as one: statements that insert into copies say it of a key itself at most
   * @param changed rows
   * @throws RefusedException if their further rows would have other keys
   */
  static void handOn(SourceRun first, long made, long changed, List<SourceRun> others) {
    if (made == 0) {
      return;
    }
    if (changed > 1) {
      requireSameNumbering(first, others);
    }
    others.forEach(other -> other.giveKey(made));
  }

  /**
   * @throws RefusedException if rows behind one that is given a key would have other keys
   */
  static void requireSameNumbering(SourceRun first, List<SourceRun> others) {
    long numbering = first.numbering();
    if (others.stream().anyMatch(other -> other.numbering() != numbering)) {
      throw ErrorCatalogue.BROADCAST_DIFFERS.refuse();
    }
  }

  /**
   * @param answers to the same statement, of each copy
   * @param inserts whether it gives its rows itself: those that are there in some copies only are
   *     alike afterwards
   * @throws RefusedException if the copies would differ from then on
   */
  static void requireAlike(List<Answered> answers, boolean inserts) {
    if (answers.stream()
            .filter(each -> !inserts || found(each) > 0)
            .mapToLong(each -> each.outcome().lastInsertId())
            .distinct()
            .count()
        > 1) {
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
