package io.anabranch.frontend.statistics;

import io.anabranch.rules.digest.DigestText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** One digest, with the counts of each event loop. Thread-safe. */
final class Digest {

  /**
   * What is counted together.
   *
   * @param database empty: none was selected
   * @param text see {@link DigestText#digest}
   */
  record Key(String database, String text) {}

  private final Key key;
  private final String sample;
  private final long firstNanos;
  private final AtomicReferenceArray<DigestCounts> loops;
  private volatile boolean used;
  private volatile boolean isGone;

  Digest(Key key, String sample, int loops, long now) {
    this.key = key;
    this.sample = sample;
    this.firstNanos = now;
    this.loops = new AtomicReferenceArray<>(loops);
  }

  Key key() {
    return key;
  }

  String sample() {
    return sample;
  }

  /** When it was first met, {@link System#nanoTime}. */
  long firstNanos() {
    return firstNanos;
  }

  /** 32 hexadecimal digits of the text. */
  String hash() {
    return DigestText.hash(key.text());
  }

  /** Where this loop counts; called by it alone. */
  DigestCounts counts(int loop) {
    DigestCounts own = loops.get(loop);
    if (own == null) {
      own = new DigestCounts();
      loops.set(loop, own);
    }
    return own;
  }

  List<DigestCounts> counts() {
    var all = new ArrayList<DigestCounts>(loops.length());
    for (int i = 0; i < loops.length(); i++) {
      DigestCounts own = loops.get(i);
      if (own != null) {
        all.add(own);
      }
    }
    return all;
  }

  /** It is counted now; a store only where it says something new. */
  void use() {
    if (!used) {
      used = true;
    }
  }

  /** Whether it was used since this was last asked. */
  boolean takeUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /** It made room for others, or all were forgotten: nobody counts in it any more. */
  void leave() {
    isGone = true;
  }

  boolean isGone() {
    return isGone;
  }
}
