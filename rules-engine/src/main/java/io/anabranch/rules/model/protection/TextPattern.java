package io.anabranch.rules.model.protection;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression that people write, without regard to case, found anywhere in a text. The
 * engine is RE2: time is proportional to the text, whatever the expression and the text are. It
 * knows neither back references nor looking around. Immutable.
 */
public final class TextPattern {

  private static final Pattern GROUP = Pattern.compile("\\$(?:(\\d)|\\{(\\w+)\\})");

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

  /**
   * The text with something else in each place in which it is found.
   *
   * @param by in which {@code $1} and {@code ${name}} are what a group has found, and a backslash
   *     takes the next character as it is; see {@link #problemOf}
   */
  public String replaceIn(CharSequence text, String by) {
    return pattern.matcher(text).replaceAll(by);
  }

  /** Why {@link #replaceIn} cannot put this in; null: it can. */
  public @Nullable String problemOf(String by) {
    int at = 0;
    while (at < by.length()) {
      char sign = by.charAt(at);
      if (sign == '\\' && at + 1 == by.length()) {
        return "a backslash takes the next character as it is, and there is none";
      }
      Matcher group = sign == '$' ? GROUP.matcher(by.substring(at)) : null;
      if (group == null) {
        at += sign == '\\' ? 2 : 1;
      } else if (!group.lookingAt()) {
        return "behind `$` stands the number of a group, or its name in braces; for the sign itself"
            + " write `\\$`";
      } else if (!has(group)) {
        return "the pattern has no group " + group.group();
      } else {
        at += group.end();
      }
    }
    return null;
  }

  private boolean has(Matcher group) {
    String number = group.group(1);
    return number == null
        ? pattern.namedGroups().containsKey(group.group(2))
        : Integer.parseInt(number) <= pattern.groupCount();
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
