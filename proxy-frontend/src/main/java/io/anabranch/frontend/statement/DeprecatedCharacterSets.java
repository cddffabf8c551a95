package io.anabranch.frontend.statement;

import io.anabranch.protocol.type.Collation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What MySQL servers warn of where SET NAMES names a character set or a collation: the proxy
 * answers it itself. MariaDB warns of none.
 */
public final class DeprecatedCharacterSets {

  private static final String UTF8MB3 = "utf8mb3";

  /** Beside {@value #UTF8MB3}, which has words of its own. */
  private static final Set<String> OTHERS = Set.of("dec8", "hp8", "macce", "macroman", "ucs2");

  private DeprecatedCharacterSets() {}

  /**
   * Level, code and message of each, as SHOW WARNINGS shows them.
   *
   * @param written the character set as the statement has it
   * @param named null where the statement has no collation
   */
  public static List<List<String>> warnings(
      String written, Collation ofCharset, @Nullable Collation named) {
    var warnings = new ArrayList<List<String>>();
    String set = ofCharset.characterSet();
    if (written.equalsIgnoreCase("utf8")) {
      warnings.add(
          warning(
              "3719",
              "'utf8' is currently an alias for the character set UTF8MB3, but will be an alias for"
                  + " UTF8MB4 in a future release. Please consider using UTF8MB4 in order to be"
                  + " unambiguous."));
    } else if (set.equals(UTF8MB3) || OTHERS.contains(set)) {
      warnings.add(
          warning(
              "1287",
              "'"
                  + set
                  + "' is deprecated and will be removed in a future release. Please use utf8mb4"
                  + " instead"));
    }
    if (named != null && set.equals(UTF8MB3)) {
      warnings.add(
          warning(
              "3778",
              "'"
                  + named.name()
                  + "' is a collation of the deprecated character set UTF8MB3. Please consider using"
                  + " UTF8MB4 with an appropriate collation instead."));
    } else if (named != null && OTHERS.contains(set)) {
      warnings.add(
          warning(
              "4079",
              "'"
                  + named.name()
                  + "' is a collation of the deprecated character set "
                  + set
                  + ". Please consider using utf8mb4 with an appropriate collation instead."));
    }
    return warnings;
  }

  private static List<String> warning(String code, String message) {
    return List.of("Warning", code, message);
  }
}
