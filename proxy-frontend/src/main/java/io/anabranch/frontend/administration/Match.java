package io.anabranch.frontend.administration;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a known form.
 *
 * @param mode how its literals are written
 * @param given names and values by what the form calls them
 * @param rest the first token that the form says nothing of
 */
record Match(SqlTokens tokens, LexerMode mode, Map<String, String> given, int rest) {

  Match {
    given = Map.copyOf(given);
  }

  /** Null if it is left out. */
  @Nullable String get(String name) {
    return given.get(name);
  }

  /** What a string literal says. */
  static String string(String literal, LexerMode mode) {
    byte[] bytes = literal.getBytes(StandardCharsets.UTF_8);
    SqlValue value =
        Literals.of(SlotKind.STRING, bytes, 0, bytes.length, StandardCharsets.UTF_8, mode);
    return value instanceof SqlValue.Text(String text) ? text : literal;
  }
}
