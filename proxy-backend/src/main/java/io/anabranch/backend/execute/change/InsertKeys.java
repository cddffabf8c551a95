package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.SourceRun;
import org.jspecify.annotations.Nullable;

/**
 * What the insert ids of databases' answers are: their OK packets tell a key that a row was given
 * like one that was generated.
 *
 * @param generated the first that a database made, 0 for none
 * @param given the key of the last row, where all rows had one; null: what was told counts
 */
record InsertKeys(long generated, @Nullable Long given) {

  static final InsertKeys AS_TOLD = new InsertKeys(0, null);

  /** All rows had keys. */
  static InsertKeys given(long ofLast) {
    return new InsertKeys(0, ofLast);
  }

  /** The same where it is not known which row was the last to be inserted. */
  InsertKeys ofUnknownLast() {
    return given == null ? this : given(0);
  }

  MergeOutcome.Done in(MergeOutcome.Done told) {
    if (generated != 0) {
      return new MergeOutcome.Done(
          told.affectedRows(), generated, told.warnings(), told.info(), told.warningRows());
    }
    return given == null ? told : told.withGivenKeys(given);
  }

  /** Of answers whose connections are asked, one after the other. */
  static final class Asked {

    private long generated;
    private long given;

    /**
     * Asks, unless it is known already; the answer must be at its end.
     *
     * @param insertId of the answer
     */
    void told(SourceRun run, long insertId) {
      if (insertId != 0 && generated == 0) {
        told(run.lastInsertId(), insertId);
      }
    }

    /**
     * The connection has been asked.
     *
     * @param key what it says
     */
    void told(long key, long insertId) {
      if (insertId != 0 && generated == 0) {
        generated = key == insertId ? insertId : 0;
        given = insertId;
      }
    }

    InsertKeys known() {
      if (generated != 0) {
        return new InsertKeys(generated, null);
      }
      return given == 0 ? AS_TOLD : InsertKeys.given(given);
    }
  }
}
