package io.anabranch.frontend.administration.definition;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Reads what follows the words of a definition: parts between commas. What is wrong is told by its
 * neighbours in the statement, never by a value, which may be a password.
 */
public final class ClauseParser {

  /** No statement of administration has more parentheses within each other. */
  private static final int DEEPEST = 16;

  private final SqlTokens tokens;
  private final LexerMode mode;
  private final int end;
  private int at;

  private ClauseParser(SqlTokens tokens, LexerMode mode, int from, int end) {
    this.tokens = tokens;
    this.mode = mode;
    this.at = from;
    this.end = end;
  }

  /**
   * All parts from a token on; parentheses without a name are a part whose name is empty.
   *
   * @param end exclusive
   * @throws ConfigurationRefusedException if they are not written so
   */
  public static List<Clause> parse(SqlTokens tokens, LexerMode mode, int from, int end) {
    var parser = new ClauseParser(tokens, mode, from, end);
    List<Clause> clauses = parser.list();
    if (parser.at < end) {
      throw parser.unexpected();
    }
    return clauses;
  }

  /** What a string literal says. */
  public static String string(String literal, LexerMode mode) {
    byte[] bytes = literal.getBytes(StandardCharsets.UTF_8);
    SqlValue value =
        Literals.of(SlotKind.STRING, bytes, 0, bytes.length, StandardCharsets.UTF_8, mode);
    return value instanceof SqlValue.Text(String text) ? text : literal;
  }

  private List<Clause> list() {
    var clauses = new ArrayList<Clause>();
    do {
      clauses.add(clause());
    } while (takes(','));
    return clauses;
  }

  private boolean takes(char punctuation) {
    boolean is = tokens.isPunctuation(at, punctuation);
    at += is ? 1 : 0;
    return is;
  }

  private Clause clause() {
    if (at < end && tokens.depth(at) > DEEPEST) {
      throw unexpected();
    }
    String name = tokens.isPunctuation(at, '(') ? "" : name();
    if (tokens.isOperator(at, "=")) {
      at++;
      return new Clause(name, name(), List.of());
    }
    if (!tokens.isPunctuation(at, '(')) {
      return new Clause(name, null, List.of());
    }
    at++;
    List<Clause> parts = tokens.isPunctuation(at, ')') ? List.of() : list();
    if (!tokens.isPunctuation(at, ')')) {
      throw unexpected();
    }
    at++;
    return new Clause(name, null, parts);
  }

  /** A name or a value; {@code dataSource.table} and {@code *.*} are one. */
  private String name() {
    var name = new StringJoiner(".");
    do {
      name.add(piece());
    } while (takes('.'));
    return name.toString();
  }

  private String piece() {
    if (at >= end) {
      throw unexpected();
    }
    int token = at++;
    return switch (tokens.kind(token)) {
      case WORD, NUMBER -> tokens.text(token);
      case QUOTED -> tokens.name(token);
      case STRING -> string(tokens.text(token), mode);
      case OPERATOR -> {
        if (tokens.text(token).equals("*")) {
          yield "*";
        }
        if (tokens.text(token).equals("-") && isNumber(at)) {
          yield "-" + tokens.text(at++);
        }
        at = token;
        throw unexpected();
      }
      default -> {
        at = token;
        throw unexpected();
      }
    };
  }

  private boolean isNumber(int token) {
    return token < tokens.size() && tokens.kind(token) == TokenKind.NUMBER;
  }

  private ConfigurationRefusedException unexpected() {
    int word =
        tokens
            .between(0, Math.min(at, end))
            .findLast(token -> tokens.kind(token) == TokenKind.WORD);
    return Clause.refused(
        (at >= end ? "the statement ends too early" : "the statement cannot be read")
            + " behind the word "
            + tokens.text(word)
            + " (token "
            + (at + 1)
            + ")");
  }
}
