package io.anabranch.rules.algorithm.encrypt;

import java.security.GeneralSecurityException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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
  private final BlockingQueue<Cipher> idle = new ArrayBlockingQueue<>(MOST_KEPT);

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

  /** Back after use; it is dropped where enough are kept. */
  void give(Cipher cipher) {
    idle.offer(cipher);
  }
}
