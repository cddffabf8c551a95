package io.anabranch.rules.model.protection;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression that people write, without regard to case, found anywhere in a text. The
 * engine is RE2: time is proportional to the text, whatever the expression and the text are. It
 * knows neither back references nor looking around. Immutable.
 */
public final class TextPattern {

  private final String expression;
  private final Pattern pattern;

  private TextPattern(String expression, Pattern pattern) {
    this.expression = expression;
    this.pattern = pattern;
  }

  /**
   * @throws IllegalArgumentException with the reason if it is none
   */
  public static TextPattern of(String expression) {
    try {
      return new TextPattern(
          expression, Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription() + ": `" + e.getPattern() + "`", e);
    }
  }

  /** Whether it is found in the text. */
  public boolean isIn(CharSequence text) {
    return pattern.matcher(text).find();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TextPattern that && expression.equals(that.expression);
  }

  @Override
  public int hashCode() {
    return expression.hashCode();
  }

  /** As it was written. */
  @Override
  public String toString() {
    return expression;
  }
}
