package io.anabranch.frontend.statement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;

/**
 * Percent signs of patterns. MariaDB goes down a level of its stack for each in a row in LIKE of
 * SHOW and DESCRIBE, without looking at what is left of it: some thousand end it, with all of its
 * databases.
 */
public final class PercentSigns {

  /** Names have 64 characters at most: no pattern of theirs wants more. */
  private static final int MOST = 1000;

  private PercentSigns() {}

  /**
   * @throws RefusedException if a server could come to harm
   */
  public static void requireFew(Scan scan) {
    if (scan.end() - scan.start() <= MOST || !hasPatternsOfNames(scan)) {
      return;
    }
    byte[] sql = scan.sql();
    int signs = 0;
    for (int i = scan.start(); i < scan.end(); i++) {
      signs += sql[i] == '%' ? 1 : 0;
    }
    if (signs > MOST) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SHOW with more than " + MOST + " percent signs",
          "one of them stands for any number of characters");
    }
  }

  /** Also within a block. */
  private static boolean hasPatternsOfNames(Scan scan) {
    return switch (scan.kind()) {
      case SHOW, DESCRIBE, OTHER -> true;
      default -> false;
    };
  }
}
