package io.anabranch.rules.lexer;

/** What a token is to the lexer; it knows no grammar. */
public enum TokenKind {
  /** Unquoted identifier or keyword: only the grammar can tell. */
  WORD,
  /** In backquotes, or in double quotes under ANSI_QUOTES; quotes included. */
  QUOTED,
  /** {@code @name}, {@code @@name}, {@code @'name'}. */
  VARIABLE,
  /** With or without point or exponent; no sign. */
  NUMBER,
  /** One or several adjacent literals, delimiters included. */
  STRING,
  /** Hexadecimal or bit literal. */
  BINARY,
  /** {@code ?}. */
  MARKER,
  /** {@code = <=> + -> := ||} and so on. */
  OPERATOR,
  /** One of {@code ( ) , . ;}. */
  PUNCTUATION,
  /** {@code /*+ … *}{@code /}. */
  OPTIMIZER_HINT,
  /** {@code /*!50100}: the text up to {@link #EXECUTABLE_END} may or may not run. */
  EXECUTABLE_START,
  EXECUTABLE_END,
  /** There is no token: in front of the first one, or behind the last. */
  NONE;

  /** Whether its text is a value. */
  public boolean isLiteral() {
    return this == NUMBER || this == STRING || this == BINARY;
  }

  /** Whether it is no part of the statement, but says what becomes of a comment. */
  public boolean isMark() {
    return this == OPTIMIZER_HINT || this == EXECUTABLE_START || this == EXECUTABLE_END;
  }
}
