package io.anabranch.rules.algorithm.encrypt;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Random bytes, none of which is told twice. They are drawn for many values at a time: a draw takes
 * longer than to encrypt a short value. Thread-safe.
 */
final class Nonces {

  private static final int VALUES = 256;

  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();
  private final byte[] drawn;
  private final int length;
  private int told;

  /**
   * @param length of each, in bytes
   */
  Nonces(int length) {
    this.length = length;
    this.drawn = new byte[length * VALUES];
    this.told = drawn.length;
  }

  byte[] next() {
    lock.lock();
    try {
      if (told == drawn.length) {
        random.nextBytes(drawn);
        told = 0;
      }
      byte[] nonce = Arrays.copyOfRange(drawn, told, told + length);
      told += length;
      return nonce;
    } finally {
      lock.unlock();
    }
  }
}
