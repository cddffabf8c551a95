package io.anabranch.rules.planner.mask;

import io.anabranch.rules.task.PlanScope;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Whether the names of result columns come as the statement has them: a character set that lacks a
 * letter makes {@code ?} of it. Stateless.
 */
final class ResultNames {

  private static final Set<String> WHOLE = Set.of("utf8", "utf8mb3", "utf8mb4", "null");

  /** Between a collation of MariaDB's that fills no blanks and the one that does. */
  private static final int NO_PAD = 1024;

  private ResultNames() {}

  /** Whether all letters that names can have get through. */
  static boolean areWhole(PlanScope scope) {
    String results = scope.settings().get("character_set_results");
    boolean isWhole =
        results == null
            ? isUtf8(Math.abs(scope.collation()))
            : WHOLE.contains(results.replace("'", "").toLowerCase(Locale.ROOT));
    return isWhole && scope.charset().equals(StandardCharsets.UTF_8);
  }

  /** By the id of a collation; 0: connections have been opened by the proxy. */
  private static boolean isUtf8(int collation) {
    int id = collation > NO_PAD && collation < 2 * NO_PAD ? collation - NO_PAD : collation;
    boolean isOld = id == 0 || id == 33 || id == 45 || id == 46 || id == 76 || id == 83;
    boolean isUnicode = (id >= 192 && id <= 215) || (id >= 223 && id <= 247);
    boolean isNew =
        (id >= 255 && id <= 323) || (id >= 576 && id <= 578) || (id >= 608 && id <= 610);
    boolean isUca1400 = id >= 2 * NO_PAD && id < 2560;
    return isOld || isUnicode || isNew || isUca1400;
  }
}
