package io.anabranch.rules.function;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which functions a statement's tokens use: {@code UUID()}, {@code `uuid`()}, {@code
 * CURRENT_TIMESTAMP} without parentheses, {@code NEXT VALUE FOR s}, {@code shop.discount(3)}.
 */
public final class FunctionUses {

  /** Those that need no parentheses. */
  private static final Set<String> BARE =
      Set.of(
          "CURRENT_DATE",
          "CURRENT_ROLE",
          "CURRENT_TIME",
          "CURRENT_TIMESTAMP",
          "CURRENT_USER",
          "LOCALTIME",
          "LOCALTIMESTAMP",
          "SYSDATE",
          "SYSTIMESTAMP",
          "UTC_DATE",
          "UTC_TIME",
          "UTC_TIMESTAMP");

  /** In whose parentheses a FROM is no query's; POSITION takes none that a server takes. */
  private static final Set<String> WITH_FROM =
      Set.of("EXTRACT", "MID", "POSITION", "SUBSTR", "SUBSTRING", "TRIM");

  private FunctionUses() {}

  /** Whether the FROM at a token is a function's own: {@code EXTRACT(DAY FROM d)}. */
  public static boolean isOwnFrom(SqlTokens tokens, int from) {
    return hasOwnFrom(tokens.word(tokens.around(from) - 1));
  }

  /**
   * Whether a FROM in the function's parentheses is its own.
   *
   * @param function in upper case
   */
  public static boolean hasOwnFrom(String function) {
    return WITH_FROM.contains(function);
  }

  /** The function whose name is this token; null if it is none. */
  public static @Nullable SqlFunction at(SqlTokens tokens, int token) {
    if (!tokens.isName(token)) {
      return null;
    }
    boolean quoted = tokens.kind(token) == TokenKind.QUOTED;
    boolean qualified = tokens.isPunctuation(token - 1, '.');
    if (!tokens.isPunctuation(token + 1, '(')) {
      return quoted ? null : bare(tokens, token, qualified);
    }
    if (qualified) {
      return SqlFunction.unknown(name(tokens, token));
    }
    if (namesColumns(tokens, token)) {
      return null;
    }
    SqlFunction known = SqlFunctions.find(tokens.name(token));
    if (known != null) {
      return quoted ? maybeStored(known) : known;
    }
    boolean isNone = !quoted && SqlFunctions.isGrammar(tokens.text(token));
    return isNone ? null : SqlFunction.unknown(name(tokens, token));
  }

  /** The first function in {@code [from, to)} for which it holds; null if there is none. */
  public static @Nullable SqlFunction first(
      SqlTokens tokens, int from, int to, Predicate<SqlFunction> wanted) {
    int found =
        tokens
            .between(from, to)
            .findName(
                token -> {
                  SqlFunction function = at(tokens, token);
                  return function != null && wanted.test(function);
                });
    return at(tokens, found);
  }

  /** Whether one of all tokens is a function for which it holds. */
  public static boolean any(SqlTokens tokens, Predicate<SqlFunction> wanted) {
    return first(tokens, 0, tokens.size(), wanted) != null;
  }

  private static String name(SqlTokens tokens, int token) {
    return tokens.name(token).toUpperCase(Locale.ROOT);
  }

  /** In quotes a word of the grammar may be the name of a stored function, too. */
  private static SqlFunction maybeStored(SqlFunction known) {
    var traits = EnumSet.of(Trait.UNKNOWN);
    traits.addAll(known.traits());
    return new SqlFunction(known.name(), traits, known.flavours());
  }

  private static @Nullable SqlFunction bare(SqlTokens tokens, int token, boolean qualified) {
    if (isSequence(tokens, token, qualified)) {
      return SqlFunctions.named("NEXTVAL");
    }
    String name = name(tokens, token);
    boolean isCall = !qualified && !tokens.isPunctuation(token + 1, '.') && BARE.contains(name);
    return isCall && !tokens.isWord(token - 1, "AS") ? SqlFunctions.named(name) : null;
  }

  /**
   * {@code NEXT VALUE FOR s}, {@code PREVIOUS VALUE FOR s}, and what {@code sql_mode=ORACLE} knows:
   * {@code s.NEXTVAL}, {@code s.CURRVAL}. What was drawn last is known where it was drawn.
   */
  private static boolean isSequence(SqlTokens tokens, int token, boolean qualified) {
    boolean isValue =
        tokens.isWord(token, "VALUE")
            && (tokens.isWord(token - 1, "NEXT") || tokens.isWord(token - 1, "PREVIOUS"))
            && tokens.isWord(token + 1, "FOR");
    boolean isMember =
        qualified && (tokens.isWord(token, "NEXTVAL") || tokens.isWord(token, "CURRVAL"));
    return isValue || isMember;
  }

  /** Whether it is a common table expression or a derived table with a list of its columns. */
  private static boolean namesColumns(SqlTokens tokens, int token) {
    int end = tokens.closing(token + 1);
    boolean isCommonTable = tokens.isWord(end + 1, "AS") && tokens.isPunctuation(end + 2, '(');
    boolean isDerivedTable =
        tokens.isPunctuation(token - 1, ')')
            || (tokens.isWord(token - 1, "AS") && tokens.isPunctuation(token - 2, ')'));
    return isCommonTable || isDerivedTable;
  }
}
