package io.anabranch.rules.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The tables of a database by which proxies share numbers. All methods block, may be called by many
 * threads, and throw a RuntimeException if the database does not do what is asked; whatever it has
 * done nevertheless gives nobody a number twice.
 */
public interface KeyStore {

  /**
   * Takes numbers that nobody else gets, for good.
   *
   * @param name of the counter; letters, digits, {@code . _ -}
   * @param start the first number of a counter that is not there yet
   * @param count how many; positive
   * @return the first one; the others follow it
   */
  long block(String name, long start, int count);

  /**
   * Leases the number of a worker that nobody has.
   *
   * @param holder who asks: drawn by lot, letters and digits
   * @param count numbers that there are, from 0 on
   * @param milliseconds how long, by the database's clock
   * @param now by the clock that keys are made with, in milliseconds since 1970: a number whose
   *     last holder may have made keys of a later moment is not given out
   * @return null if all numbers are leased
   */
  @Nullable Term claim(String holder, int count, long milliseconds, long now);

  /**
   * Leases a number further.
   *
   * @param until no key of a later moment is made, by the clock of {@code now} above
   * @return false if somebody else may have it meanwhile
   */
  boolean renew(int worker, String holder, long milliseconds, long until);

  /**
   * A leased number.
   *
   * @param floor keys up to this moment may have been made with it
   */
  record Term(int worker, long floor) {}
}
