package io.anabranch.rules.algorithm.encrypt;

import org.jspecify.annotations.Nullable;

/**
 * Extension point: what is stored in the place of a text. NULL never gets here: it is stored as
 * NULL.
 *
 * <p>Used by all threads at the same time, event loops among them: no method blocks or does I/O.
 * What is thrown fails the statement and nothing else; messages hold neither keys nor values.
 */
public interface Encryptor {

  /**
   * What is stored: characters that every column of text takes.
   *
   * @throws IllegalArgumentException if it does not take the text; the message does not hold it
   */
  String encrypt(String plain);

  /** Whether the same text is always stored alike, so that what is stored can be compared. */
  default boolean isDeterministic() {
    return true;
  }

  /**
   * Whether what is stored may be compared by LIKE with what {@link #encrypt} makes of a pattern:
   * it works character by character and leaves {@code %} and {@code _} as they are.
   */
  default boolean isForPatterns() {
    return false;
  }

  /** Null: there is no way back, as with digests. */
  default @Nullable Decryptor decryptor() {
    return null;
  }

  /** The way back. Belongs to one thread. */
  interface Decryptor {

    /**
     * @throws IllegalArgumentException if {@link Encryptor#encrypt} made it with another key, or
     *     never; the message does not hold it
     */
    String decrypt(String stored);
  }
}
