package io.anabranch.rules.algorithm.mask;

/** Makes of a value what is shown in its place. Thread-safe; quick, for it is asked per cell. */
@FunctionalInterface
public interface Masker {

  /**
   * @param value its text form; never empty, NULL and the empty text stay as they are
   */
  String mask(String value);
}
