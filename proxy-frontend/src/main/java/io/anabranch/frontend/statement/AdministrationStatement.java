package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A statement of administration that the proxy does not know, in the words of ShardingSphere's
 * DistSQL. No database knows them either: going there it would come back as a syntax error, and
 * leave passwords in the database's log.
 *
 * @param words how it begins; without what it says
 * @param instead what there is
 */
public record AdministrationStatement(String words, String instead) {

  private static final int MOST_WORDS = 4;
  private static final String FILES =
      "change the files of the configuration, then RELOAD CONFIGURATION";
  private static final String SHOWS =
      "there are SHOW STATUS FROM READWRITE_SPLITTING RULES, SHOW READWRITE_SPLITTING EVENTS, SHOW"
          + " CONFIGURATION DIFF and SHOW CONFIGURATION HISTORY";
  private static final String MEMBERS =
      "there is ALTER READWRITE_SPLITTING RULE group ENABLE | DISABLE member";
  private static final String ROUTE = "there is EXPLAIN ROUTE statement";
  private static final String ROWS = "copy rows with the databases' own means";

  /** What rules are of, behind CREATE, ALTER, DROP, SHOW and COUNT. */
  private static final Set<String> SUBJECTS =
      Set.of("SHARDING", "BROADCAST", "ENCRYPT", "MASK", "SHADOW", "SINGLE", "READWRITE_SPLITTING");

  /** What SHOW shows besides. */
  private static final Set<String> SHOWN =
      Set.of("DIST", "COMPUTE", "MIGRATION", "AUTHORITY", "SQL_PARSER", "SQL_FEDERATION", "UNUSED");

  /** Whether statements of that kind are to be looked at. */
  public static boolean mayBe(StatementKind kind) {
    return switch (kind) {
      case OTHER, SHOW, CREATE, ALTER, DROP, SET -> true;
      default -> false;
    };
  }

  /** Null if it is another statement, or one that is known. */
  public static @Nullable AdministrationStatement find(StatementKind kind, SqlTokens tokens) {
    String instead =
        switch (kind) {
          case OTHER -> other(tokens);
          case SHOW -> isShow(tokens) ? SHOWS : null;
          case CREATE, ALTER, DROP -> isDefinition(tokens) ? FILES : null;
          case SET -> isVariable(tokens) || isDefault(tokens) ? FILES : null;
          default -> null;
        };
    return instead == null ? null : new AdministrationStatement(words(tokens), instead);
  }

  /** A word behind the verb: else it is a block's label, or nothing that anybody knows. */
  private static @Nullable String other(SqlTokens tokens) {
    if (tokens.size() < 2 || tokens.kind(1) != TokenKind.WORD) {
      return null;
    }
    return switch (tokens.text(0).toUpperCase(Locale.ROOT)) {
      case "REGISTER", "UNREGISTER", "UNLOAD", "RELOAD", "REFRESH", "LABEL", "UNLABEL" -> FILES;
      case "IMPORT" -> tokens.isWord(1, "TABLE") ? null : FILES;
      case "EXPORT", "CONVERT", "COUNT" -> SHOWS;
      case "ENABLE", "DISABLE" -> MEMBERS;
      case "FORMAT", "PARSE" -> ROUTE;
      case "MIGRATE" -> ROWS;
      default -> null;
    };
  }

  private static boolean isShow(SqlTokens tokens) {
    if (tokens.isWord(1, "READWRITE_SPLITTING")) {
      return tokens.isWord(2, "RULES") || tokens.isWord(2, "RULE");
    }
    return isOneOf(tokens, 1, SHOWN)
        || isOneOf(tokens, 1, SUBJECTS)
        || isUnit(tokens, 1)
        || isDefault(tokens)
        || (tokens.isWord(1, "RULES") && tokens.isWord(2, "USED"));
  }

  private static boolean isDefinition(SqlTokens tokens) {
    return isOneOf(tokens, 1, SUBJECTS) || isUnit(tokens, 1) || isDefault(tokens);
  }

  /** {@code DEFAULT SHARDING …}, {@code DEFAULT SINGLE …}, {@code DEFAULT SHADOW …}. */
  private static boolean isDefault(SqlTokens tokens) {
    return tokens.isWord(1, "DEFAULT") && isOneOf(tokens, 2, SUBJECTS);
  }

  /** A session may have a local variable of that name, in a program. */
  private static boolean isVariable(SqlTokens tokens) {
    return tokens.isWord(1, "DIST") && tokens.isWord(2, "VARIABLE");
  }

  private static boolean isUnit(SqlTokens tokens, int token) {
    return tokens.isWord(token, "STORAGE")
        && (tokens.isWord(token + 1, "UNIT") || tokens.isWord(token + 1, "UNITS"));
  }

  private static boolean isOneOf(SqlTokens tokens, int token, Set<String> words) {
    return words.stream().anyMatch(word -> tokens.isWord(token, word));
  }

  /** The words that it begins with, which are no names and no values. */
  private static String words(SqlTokens tokens) {
    var words = new StringJoiner(" ");
    for (int i = 0; i < Math.min(tokens.size(), MOST_WORDS); i++) {
      String text = tokens.text(i);
      if (!text.chars().allMatch(c -> c == '_' || (c >= 'A' && c <= 'Z'))
          && !(i < 2 && text.chars().allMatch(Character::isLetter))) {
        break;
      }
      words.add(text);
    }
    return words.toString();
  }
}
