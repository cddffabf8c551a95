package io.anabranch.rules.algorithm.encrypt;

import java.security.GeneralSecurityException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;

/**
 * Ciphers that are ready for use: to make one costs more than to encrypt with it. Thread-safe; who
 * takes one has it alone until it is given back.
 */
final class IdleCiphers {

  /** Beyond these, ciphers are made anew. */
  private static final int MOST_KEPT = 64;

  /** Makes a cipher. */
  interface Maker {
    Cipher make() throws GeneralSecurityException;
  }

  private final Maker maker;
  private final ConcurrentLinkedQueue<Cipher> idle = new ConcurrentLinkedQueue<>();

  IdleCiphers(Maker maker) {
    this.maker = maker;
  }

  /**
   * @throws GeneralSecurityException if this Java has no such cipher
   */
  Cipher take() throws GeneralSecurityException {
    Cipher kept = idle.poll();
    return kept == null ? maker.make() : kept;
  }

  /** Back after use; a race keeps some more than it should. */
  void give(Cipher cipher) {
    if (idle.size() < MOST_KEPT) {
      idle.offer(cipher);
    }
  }
}
