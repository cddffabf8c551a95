package io.anabranch.rules.placement;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.MomentText;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an INSERT gives for a column that placement or key generation looks at. */
public sealed interface RowValue {

  /** A literal or parameter, with a minus in front or not. */
  record Slot(int slot, boolean negative) implements RowValue {}

  record Constant(SqlValue value) implements RowValue {}

  /** Arithmetic of literals and parameters. */
  record Computed(ConstantExpression expression) implements RowValue {}

  /** DEFAULT, or no value at all. */
  enum Default implements RowValue {
    DEFAULT
  }

  /** An expression that only a database can compute. */
  enum Opaque implements RowValue {
    OPAQUE
  }

  /** A TIMESTAMP literal that columns of texts store as it is written. */
  Pattern STORED_MOMENT =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?");

  static RowValue of(SqlTokens tokens, Span span) {
    if (span.behind() - span.first() == 1 && tokens.slot(span.first()) >= 0) {
      return new Slot(tokens.slot(span.first()), false);
    }
    TokenRange inner = tokens.in(span).unwrapped();
    int to = inner.behind();
    TokenRange signs = tokens.between(inner.first(), to - 1);
    int from = signs.skip(token -> isSign(tokens, token));
    int minuses = tokens.between(signs.first(), from).count(token -> tokens.isOperator(token, "-"));
    if (minuses == 1 && to - from == 1 && tokens.slot(from) >= 0) {
      return new Slot(tokens.slot(from), true);
    }
    RowValue one = minuses > 0 ? Opaque.OPAQUE : literal(tokens, from, to);
    if (one != Opaque.OPAQUE) {
      return one;
    }
    ConstantExpression expression = ConstantExpression.read(tokens, span.first(), span.behind());
    return expression == null ? Opaque.OPAQUE : new Computed(expression);
  }

  /** What stands there without a minus, which makes a number of a text and of a day. */
  private static RowValue literal(SqlTokens tokens, int from, int to) {
    return to - from == 1 ? ofToken(tokens, from) : dated(tokens, from, to);
  }

  private static boolean isSign(SqlTokens tokens, int token) {
    return tokens.isOperator(token, "-") || tokens.isOperator(token, "+");
  }

  /** What one token is; opaque unless it is a literal, a parameter or DEFAULT. */
  static RowValue ofToken(SqlTokens tokens, int token) {
    if (tokens.slot(token) >= 0) {
      return new Slot(tokens.slot(token), false);
    }
    return tokens.kind(token) == TokenKind.WORD ? ofWord(tokens, token) : Opaque.OPAQUE;
  }

  private static RowValue ofWord(SqlTokens tokens, int token) {
    if (tokens.isWord(token, "NULL")) {
      return new Constant(SqlValue.Null.NULL);
    }
    if (tokens.isWord(token, "TRUE")) {
      return new Constant(new SqlValue.Int(1));
    }
    if (tokens.isWord(token, "FALSE")) {
      return new Constant(new SqlValue.Int(0));
    }
    return tokens.isWord(token, "DEFAULT") ? Default.DEFAULT : Opaque.OPAQUE;
  }

  /**
   * {@code DATE '2024-01-01'} and {@code TIMESTAMP '…'}. Columns of texts store them in one form
   * alone, whatever the literal's.
   */
  private static RowValue dated(SqlTokens tokens, int from, int to) {
    boolean day = tokens.isWord(from, "DATE");
    boolean typed = day || tokens.isWord(from, "TIMESTAMP");
    if (to - from != 2 || !typed || tokens.kind(from + 1) != TokenKind.STRING) {
      return Opaque.OPAQUE;
    }
    String literal = tokens.text(from + 1);
    String inner = literal.substring(1, Math.max(1, literal.length() - 1));
    if (!day && STORED_MOMENT.matcher(inner).matches()) {
      return new Constant(new SqlValue.Text(inner));
    }
    LocalDateTime moment = MomentText.of(inner);
    if (moment == null) {
      return Opaque.OPAQUE;
    }
    return new Constant(
        day ? new SqlValue.Date(moment.toLocalDate()) : new SqlValue.DateTime(moment));
  }

  /** Whether the statement's own text has to stay, because a database computes it. */
  default boolean isExpression() {
    return this == Opaque.OPAQUE || this instanceof Computed;
  }

  /** The value of one execution; null for what only a database can compute. */
  default @Nullable SqlValue bind(SlotValues values) {
    return switch (this) {
      case Slot slot -> {
        SqlValue value = values.value(slot.slot());
        yield slot.negative() ? Literals.negate(value) : value;
      }
      case Constant constant -> constant.value();
      case Computed computed -> computed.expression().bind(values);
      case Default ignored -> SqlValue.Null.NULL;
      case Opaque ignored -> null;
    };
  }
}
