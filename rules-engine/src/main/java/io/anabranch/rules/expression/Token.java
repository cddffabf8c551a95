package io.anabranch.rules.expression;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of an expression.
 *
 * @param text the characters; for strings the content without quotes
 * @param position offset of the first character
 */
record Token(Kind kind, String text, int position) {

  enum Kind {
    NUMBER,
    STRING,
    NAME,
    SYMBOL,
    END
  }

  private static final List<String> SYMBOLS =
      List.of(
          "..", "->", "==", "!=", "<=", ">=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "!",
          "?", ":", "(", ")", "[", "]", "{", "}", ",", ".");

  /** Splits {@code source}; the last token is {@link Kind#END}. */
  static List<Token> split(String source) {
    List<Token> tokens = new ArrayList<>();
    int at = 0;
    while (at < source.length()) {
      char c = source.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
        continue;
      }
      Token token;
      int end;
      if (isDigit(c)) {
        end = endOfNumber(source, at);
        token = new Token(Kind.NUMBER, source.substring(at, end), at);
      } else if (Character.isJavaIdentifierStart(c) && c != '$') {
        end = endOfName(source, at);
        token = new Token(Kind.NAME, source.substring(at, end), at);
      } else if (c == '\'' || c == '"') {
        end = endOfString(source, at);
        token = new Token(Kind.STRING, source.substring(at + 1, end - 1), at);
      } else {
        token = symbol(source, at);
        end = at + token.text().length();
      }
      tokens.add(token);
      at = end;
    }
    tokens.add(new Token(Kind.END, "end of the expression", source.length()));
    return tokens;
  }

  boolean is(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int endOfNumber(String source, int from) {
    int at = skipDigits(source, from);
    boolean fraction =
        at + 1 < source.length() && source.charAt(at) == '.' && isDigit(source.charAt(at + 1));
    if (fraction) {
      at = skipDigits(source, at + 1);
    } else if (at < source.length() && "LlIiGg".indexOf(source.charAt(at)) >= 0) {
      at++;
    }
    if (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at))) {
      throw new ExpressionException(from, "a number runs into a name");
    }
    return at;
  }

  private static int skipDigits(String source, int from) {
    int at = from;
    while (at < source.length() && isDigit(source.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int endOfName(String source, int from) {
    int at = from;
    while (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int endOfString(String source, int from) {
    char quote = source.charAt(from);
    for (int at = from + 1; at < source.length(); at++) {
      char c = source.charAt(at);
      if (c == quote) {
        return at + 1;
      }
      if (c == '\\' || (c == '$' && quote == '"')) {
        throw new ExpressionException(at, "'" + c + "' is not supported inside a string");
      }
    }
    throw new ExpressionException(from, "a string is not closed");
  }

  private static Token symbol(String source, int at) {
    for (String symbol : SYMBOLS) {
      if (source.startsWith(symbol, at)) {
        return new Token(Kind.SYMBOL, symbol, at);
      }
    }
    throw new ExpressionException(at, "unexpected character '" + source.charAt(at) + "'");
  }
}
