package io.anabranch.frontend.statistics;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.digest.DigestText;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Counts the statements of one event loop. A text that the loop knows is found by its fingerprint,
 * without its digest being made; nothing is allocated then. On that loop only.
 */
final class LoopDigests {

  private static final int SLOTS = 8192;
  private static final int WAYS = 4;

  /** Slots that one statement looks at for digests that others have evicted. */
  private static final int SWEPT = 64;

  /** One text of one database; several have the same digest. */
  private record Known(long fingerprint, String database, Digest digest, DigestCounts counts) {}

  private final Digests digests;
  private final int loop;
  private final @Nullable Known[] known = new @Nullable Known[SLOTS];

  /** How many had been evicted when all slots were last looked at, and the next slot to look at. */
  private long swept;

  private long sweeping;
  private int sweep;

  LoopDigests(Digests digests, int loop) {
    this.digests = digests;
    this.loop = loop;
  }

  void add(ExecutedStatement statement) {
    if (digests.evicted() != swept) {
      sweep();
    }
    Known found = find(statement);
    found.digest().use();
    found.counts().add(statement);
  }

  /** Of an execution that was counted before. */
  void addRows(ExecutedStatement statement) {
    find(statement).counts().addRows(statement.rows());
  }

  /** The digest's hash and text, for logs. */
  Digest digest(ExecutedStatement statement) {
    return find(statement).digest();
  }

  /** Keeps no digest that has made room for others: the rest is done by the next statements. */
  private void sweep() {
    if (sweep == 0) {
      sweeping = digests.evicted();
    }
    for (int i = 0; i < SWEPT; i++) {
      Known each = known[sweep];
      if (each != null && each.digest().isGone()) {
        known[sweep] = null;
      }
      sweep = (sweep + 1) & (SLOTS - 1);
    }
    if (sweep == 0) {
      swept = sweeping;
    }
  }

  private Known find(ExecutedStatement statement) {
    long fingerprint = statement.fingerprint();
    String of = statement.database();
    String database = of == null ? "" : of;
    int home = (int) (fingerprint >>> 32) & (SLOTS - 1);
    int free = home;
    for (int way = 0; way < WAYS; way++) {
      int slot = (home + way) & (SLOTS - 1);
      Known each = known[slot];
      if (each == null || each.digest().isGone()) {
        known[slot] = null;
        free = slot;
      } else if (each.fingerprint() == fingerprint && each.database().equals(database)) {
        return each;
      }
    }
    Known made = met(fingerprint, database, statement);
    known[free] = made;
    return made;
  }

  private Known met(long fingerprint, String database, ExecutedStatement statement) {
    Session session = statement.session();
    byte[] form = statement.normalForm();
    Charset charset = session.charset();
    boolean ansiQuotes = session.lexerMode().ansiQuotes();
    var key = new Digest.Key(database, DigestText.digest(form, charset, ansiQuotes));
    Digest digest =
        digests.of(key, () -> DigestText.sample(form, charset, ansiQuotes), statement.ended());
    return new Known(fingerprint, database, digest, digest.counts(loop));
  }
}
