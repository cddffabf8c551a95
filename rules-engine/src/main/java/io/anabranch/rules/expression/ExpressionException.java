package io.anabranch.rules.expression;

/** An expression that does not parse, or cannot be evaluated for the given values. */
public final class ExpressionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int position;

  ExpressionException(int position, String reason) {
    super(reason, null, false, false);
    this.position = position;
  }

  /** Offset in the expression's text, from 0. */
  public int position() {
    return position;
  }

  /** Reason and place, for people. */
  public String describe() {
    return getMessage() + " (at character " + (position + 1) + " of the expression)";
  }

  ExpressionException shifted(int by) {
    return new ExpressionException(position + by, String.valueOf(getMessage()));
  }
}
