package io.anabranch.rules.algorithm.mycat;

/**
 * MurmurHash3, x86, 32 bits, over the UTF-16 code units of a text, low byte first: what Guava's
 * {@code Hashing.murmur3_32(seed).hashUnencodedChars} gives.
 *
 * @see <a href="https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp">the
 *     algorithm</a>
 */
final class Murmur3 {

  private static final int C1 = 0xcc9e2d51;
  private static final int C2 = 0x1b873593;

  private Murmur3() {}

  static int hash(CharSequence text, int seed) {
    int hash = seed;
    int length = text.length();
    for (int i = 0; i + 1 < length; i += 2) {
      hash ^= mixed(text.charAt(i) | (text.charAt(i + 1) << Character.SIZE));
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
    }
    if (length % 2 == 1) {
      hash ^= mixed(text.charAt(length - 1));
    }
    hash ^= length * Character.BYTES;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  private static int mixed(int block) {
    return Integer.rotateLeft(block * C1, 15) * C2;
  }
}
