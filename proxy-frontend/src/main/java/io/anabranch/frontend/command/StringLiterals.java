package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;

/** String literals as sessions read them. */
final class StringLiterals {

  private StringLiterals() {}

  /** A string literal as this session's {@code sql_mode} reads it. */
  static String quoted(String value, Session session) {
    String doubled = value.replace("'", "''");
    return session.lexerMode().noBackslashEscapes()
        ? "'" + doubled + "'"
        : "'" + doubled.replace("\\", "\\\\") + "'";
  }
}
