package io.anabranch.app.differential;

import java.util.Random;

/** Draws words of statements. */
final class Draw {

  /** Marks around a literal that a prepared statement may give as a parameter. */
  static final char OPEN = '⟦';

  static final char CLOSE = '⟧';

  private final Random random;

  Draw(Random random) {
    this.random = random;
  }

  /** One of the choices, each as likely as the others. */
  String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** From 0 to below {@code bound}. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** True once in so many draws. */
  boolean once(int in) {
    return random.nextInt(in) == 0;
  }

  /** A literal, sometimes one that may be a parameter. */
  String literal(Object value) {
    return random.nextInt(3) > 0 ? OPEN + value.toString() + CLOSE : value.toString();
  }
}
