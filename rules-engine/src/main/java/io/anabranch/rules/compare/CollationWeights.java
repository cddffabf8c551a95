package io.anabranch.rules.compare;

/**
 * What {@code WEIGHT_STRING} is worth under a collation.
 *
 * @param collation its name
 * @param decide whether equal weights are equal strings, and weights order as strings do
 * @param blank weights of one blank, with which shorter strings are padded; empty for NO PAD
 */
public record CollationWeights(String collation, boolean decide, byte[] blank) {

  /** Of bytes, which are their own weights. */
  public static CollationWeights binary() {
    return new CollationWeights("binary", true, new byte[0]);
  }
}
