package io.anabranch.frontend.local;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SqlModes;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The part of {@code sql_mode} that decides how a text is read, and not what is done. Of {@code SET
 * STATEMENT sql_mode = … FOR …} a server reads all under the session's mode before it sets the
 * other one.
 */
final class ReadingModes {

  /** Makes the session's settings tell its {@code sql_mode}. */
  static final List<Assignment> AS_IT_IS =
      List.of(new Assignment.Variable(Scope.SESSION, "sql_mode", "@@sql_mode"));

  private static final String VARIABLE = "sql_mode";

  private static final Set<String> READING =
      Set.of(
          "ANSI_QUOTES",
          "EMPTY_STRING_IS_NULL",
          "HIGH_NOT_PRECEDENCE",
          "IGNORE_SPACE",
          "NO_BACKSLASH_ESCAPES",
          "ORACLE",
          "PIPES_AS_CONCAT",
          "REAL_AS_FLOAT");

  private ReadingModes() {}

  static boolean areAssigned(List<Assignment> list) {
    for (Assignment assignment : list) {
      if (assignment instanceof Assignment.Variable variable && variable.name().equals(VARIABLE)) {
        return true;
      }
    }
    return false;
  }

  /** {@code sql_mode} as the settings have it. */
  static String in(SessionSettings settings) {
    return settings.variables().getOrDefault(VARIABLE, "''");
  }

  /** The settings, with texts read as under {@code outer}. */
  static SessionSettings of(String outer, SessionSettings settings) {
    var modes = new ArrayList<String>();
    for (String mode : settings.modes()) {
      if (!READING.contains(mode) && !SqlModes.isCombined(mode)) {
        modes.add(mode);
      }
    }
    for (String mode : SqlModes.of(outer)) {
      if (READING.contains(mode)) {
        modes.add(mode);
      }
    }
    return settings.with(VARIABLE, TableNames.literal(String.join(",", modes)));
  }
}
