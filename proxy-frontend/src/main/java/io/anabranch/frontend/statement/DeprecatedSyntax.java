package io.anabranch.frontend.statement;

import java.util.List;

/**
 * What MySQL servers warn of as deprecated where no server sees it, because the proxy answers
 * itself. MariaDB warns of none of it.
 */
public enum DeprecatedSyntax {
  FOUND_ROWS(
      "FOUND_ROWS() is deprecated and will be removed in a future release. Consider using COUNT(*)"
          + " instead."),
  SQL_CALC_FOUND_ROWS(
      "SQL_CALC_FOUND_ROWS is deprecated and will be removed in a future release. Consider using"
          + " two separate queries instead."),
  PROCESSLIST(
      "'INFORMATION_SCHEMA.PROCESSLIST' is deprecated and will be removed in a future release."
          + " Please use performance_schema.processlist instead");

  /** ER_WARN_DEPRECATED_SYNTAX. */
  private static final String CODE = "1287";

  private final String message;

  DeprecatedSyntax(String message) {
    this.message = message;
  }

  /** Level, code and message, as SHOW WARNINGS shows it. */
  public List<String> warning() {
    return List.of("Warning", CODE, message);
  }
}
