package io.anabranch.frontend.current;

import io.anabranch.frontend.session.Session;

/** String literals as sessions read them. */
public final class StringLiterals {

  private StringLiterals() {}

  /** A string literal as this session's {@code sql_mode} reads it. */
  public static String quoted(String value, Session session) {
    String doubled = value.replace("'", "''");
    return session.lexerMode().noBackslashEscapes()
        ? "'" + doubled + "'"
        : "'" + doubled.replace("\\", "\\\\") + "'";
  }
}
