package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Database names in front of table names, found by tokens alone: {@code FROM shop.t}, {@code
 * shop.t.id}. A name of two parts elsewhere may as well be an alias and its column, and is left as
 * it is.
 */
final class DatabaseQualifiers {

  private static final Set<String> BEFORE_TABLES =
      Set.of("FROM", "JOIN", "UPDATE", "INTO", "TABLE", "EXISTS", "DESCRIBE", "DESC", "REFERENCES");

  private DatabaseQualifiers() {}

  /**
   * Tokens that name {@code own}.
   *
   * @param others names in lower case of the logical databases that the statement cannot reach
   * @throws io.anabranch.rules.error.RefusedException if one of {@code others} is named
   */
  static List<Integer> of(SqlTokens tokens, String own, Set<String> others) {
    var found = new ArrayList<Integer>();
    for (int token = 0; token < tokens.size(); token++) {
      if (!isQualifier(tokens, token)) {
        continue;
      }
      String name = tokens.name(token).toLowerCase(Locale.ROOT);
      if (name.equals(own.toLowerCase(Locale.ROOT))) {
        found.add(token);
      } else if (others.contains(name)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a table of another logical database (" + name + ")", "USE that database first");
      }
    }
    return List.copyOf(found);
  }

  private static boolean isQualifier(SqlTokens tokens, int token) {
    if (!tokens.isName(token)
        || !tokens.isPunctuation(token + 1, '.')
        || tokens.isPunctuation(token - 1, '.')) {
      return false;
    }
    boolean threeParts = tokens.isPunctuation(token + 3, '.');
    boolean behindKeyword =
        token > 0
            && tokens.isName(token - 1)
            && BEFORE_TABLES.contains(tokens.text(token - 1).toUpperCase(Locale.ROOT));
    return threeParts || behindKeyword;
  }
}
