package io.anabranch.frontend.administration;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a known form.
 *
 * @param mode how its literals are written
 * @param given names and values by what the form calls them; words that may be left out and are
 *     there, by themselves
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
}
