package io.anabranch.frontend.rewrite;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Locale;
import java.util.Set;

/** What the server keeps and runs later, or runs by itself: not the session's values now. */
final class StoredText {

  /** First words of definitions and of compound statements. */
  private static final Set<String> STORING =
      Set.of("CREATE", "ALTER", "BEGIN", "IF", "CASE", "FOR", "WHILE", "LOOP", "REPEAT");

  private StoredText() {}

  /** How many tokens of a statement are such; all that is left of it is computed now. */
  static int end(SqlTokens tokens) {
    return isDefinition(tokens) ? queryOfDefinition(tokens) : 0;
  }

  private static boolean isDefinition(SqlTokens tokens) {
    boolean isLabelled = tokens.size() > 1 && tokens.text(1).equals(":");
    return isLabelled
        || STORING.contains(tokens.size() == 0 ? "" : tokens.text(0).toUpperCase(Locale.ROOT));
  }

  /** Of definitions only the query of CREATE TABLE … SELECT is computed now. */
  private static int queryOfDefinition(SqlTokens tokens) {
    int table = tokens.isWord(0, "CREATE") ? tokens.between(1, 4).findWord("TABLE") : -1;
    int query = table < 0 ? -1 : tokens.from(table).findWord("SELECT");
    return query < 0 ? tokens.size() : query;
  }
}
