package io.anabranch.rules.placement;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.ExactArithmetic;
import io.anabranch.rules.value.ExactArithmetic.Operator;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic of literals and parameters: {@code -(-1)}, {@code 1+1}, {@code CAST('7' AS SIGNED)}.
 */
sealed interface ConstantExpression {

  record Leaf(RowValue value) implements ConstantExpression {}

  record Negation(ConstantExpression of) implements ConstantExpression {}

  record Operation(ConstantExpression left, Operator operator, ConstantExpression right)
      implements ConstantExpression {}

  record Cast(ConstantExpression of, boolean unsigned) implements ConstantExpression {}

  /** {@link SqlValue.Unknown} where only a database can tell. */
  default SqlValue bind(SlotValues values) {
    return switch (this) {
      case Leaf(RowValue value) -> {
        SqlValue bound = value.bind(values);
        yield bound == null ? SqlValue.Unknown.UNKNOWN : bound;
      }
      case Negation(ConstantExpression of) -> Literals.negate(of.bind(values));
      case Operation operation ->
          ExactArithmetic.compute(
              operation.left().bind(values), operation.operator(), operation.right().bind(values));
      case Cast cast -> ExactArithmetic.integer(cast.of().bind(values), cast.unsigned());
    };
  }

  /** The expression that the tokens {@code [from, to)} are; null if they are another one. */
  static @Nullable ConstantExpression read(SqlTokens tokens, int from, int to) {
    var reader = new Reader(tokens, from, to);
    ConstantExpression whole = reader.sum();
    return reader.at == to ? whole : null;
  }

  /** Reads from left to right, tighter operators deeper. */
  final class Reader {

    private final SqlTokens tokens;
    private final int end;
    private int at;

    private Reader(SqlTokens tokens, int from, int to) {
      this.tokens = tokens;
      this.at = from;
      this.end = to;
    }

    private @Nullable ConstantExpression sum() {
      ConstantExpression left = product();
      while (left != null && at < end) {
        Operator operator =
            tokens.isOperator(at, "+")
                ? Operator.ADD
                : tokens.isOperator(at, "-") ? Operator.SUBTRACT : null;
        if (operator == null) {
          return left;
        }
        at++;
        ConstantExpression right = product();
        left = right == null ? null : new Operation(left, operator, right);
      }
      return left;
    }

    private @Nullable ConstantExpression product() {
      ConstantExpression left = signed();
      while (left != null && at < end) {
        Operator operator = tighter();
        if (operator == null) {
          return left;
        }
        at++;
        ConstantExpression right = signed();
        left = right == null ? null : new Operation(left, operator, right);
      }
      return left;
    }

    private @Nullable Operator tighter() {
      if (tokens.isOperator(at, "*")) {
        return Operator.MULTIPLY;
      }
      if (tokens.isWord(at, "DIV")) {
        return Operator.DIVIDE_WHOLE;
      }
      return tokens.isOperator(at, "%") || tokens.isWord(at, "MOD") ? Operator.REMAINDER : null;
    }

    private @Nullable ConstantExpression signed() {
      if (at < end && tokens.isOperator(at, "-")) {
        at++;
        ConstantExpression of = signed();
        return of == null ? null : new Negation(of);
      }
      if (at < end && tokens.isOperator(at, "+")) {
        at++;
        return signed();
      }
      return at < end ? primary() : null;
    }

    private @Nullable ConstantExpression primary() {
      if (tokens.isPunctuation(at, '(')) {
        int close = tokens.closing(at);
        at++;
        return close < end ? closed(sum(), close) : null;
      }
      if (tokens.isWord(at, "CAST") && tokens.isPunctuation(at + 1, '(')) {
        return cast(tokens.closing(at + 1));
      }
      RowValue one = RowValue.ofToken(tokens, at);
      if (one == RowValue.Opaque.OPAQUE || one == RowValue.Default.DEFAULT) {
        return null;
      }
      at++;
      return new Leaf(one);
    }

    private @Nullable ConstantExpression cast(int close) {
      at += 2;
      ConstantExpression of = sum();
      boolean unsigned = tokens.isWord(at + 1, "UNSIGNED");
      if (of == null
          || !tokens.isWord(at, "AS")
          || !(unsigned || tokens.isWord(at + 1, "SIGNED"))) {
        return null;
      }
      at += 2;
      if (tokens.isWord(at, "INTEGER") || tokens.isWord(at, "INT")) {
        at++;
      }
      return closed(new Cast(of, unsigned), close);
    }

    /** Behind the parenthesis that has to follow. */
    private @Nullable ConstantExpression closed(@Nullable ConstantExpression inner, int close) {
      if (at != close) {
        return null;
      }
      at++;
      return inner;
    }
  }
}
