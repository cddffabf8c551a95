package io.anabranch.backend.lease;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * A variable whose value MySQL keeps with a statement that it prepares, whatever the session says
 * of it since. MariaDB resolves a statement anew with each execution. Seen on MySQL 9.7: others,
 * such as {@code cte_max_recursion_depth}, count when the statement is executed, and so does {@code
 * lc_time_names} for DATE_FORMAT.
 */
public enum ResolvedVariable {
  DIV_PRECISION_INCREMENT,
  GROUP_CONCAT_MAX_LEN,
  LC_TIME_NAMES,
  DEFAULT_WEEK_FORMAT,
  DEFAULT_COLLATION_FOR_UTF8MB4,
  EXPLAIN_FORMAT,
  EXPLICIT_DEFAULTS_FOR_TIMESTAMP,
  SQL_AUTO_IS_NULL,
  /** Of literals that name their offset. */
  TIME_ZONE;

  /** As clients call it. */
  public String variable() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether a text that has it may mean something else under another value.
   *
   * @param token in upper case
   */
  public boolean isAbout(String token) {
    return switch (this) {
      case DIV_PRECISION_INCREMENT -> token.equals("/") || token.equals("AVG");
      case GROUP_CONCAT_MAX_LEN -> token.equals("GROUP_CONCAT");
      case LC_TIME_NAMES -> token.equals("DAYNAME") || token.equals("MONTHNAME");
      case DEFAULT_WEEK_FORMAT -> token.equals("WEEK");
      case DEFAULT_COLLATION_FOR_UTF8MB4 -> token.endsWith("UTF8MB4");
      case EXPLAIN_FORMAT ->
          token.equals("EXPLAIN") || token.equals("DESCRIBE") || token.equals("DESC");
      case EXPLICIT_DEFAULTS_FOR_TIMESTAMP -> token.equals("TIMESTAMP");
      case SQL_AUTO_IS_NULL -> token.equals("NULL");
      case TIME_ZONE -> token.equals("TIMESTAMP") || token.equals("TS");
    };
  }

  static Set<String> names() {
    var names = new LinkedHashSet<String>();
    for (ResolvedVariable each : values()) {
      names.add(each.variable());
    }
    return Collections.unmodifiableSet(names);
  }
}
