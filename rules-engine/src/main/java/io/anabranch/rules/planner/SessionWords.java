package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;

/** Functions whose answer depends on the connection, or that change something. */
final class SessionWords {

  private static final Set<String> PRIMARY_ONLY =
      Set.of(
          "LAST_INSERT_ID",
          "FOUND_ROWS",
          "ROW_COUNT",
          "GET_LOCK",
          "RELEASE_LOCK",
          "RELEASE_ALL_LOCKS",
          "IS_FREE_LOCK",
          "IS_USED_LOCK",
          "NEXTVAL",
          "SETVAL",
          "LASTVAL",
          "MASTER_POS_WAIT",
          "MASTER_GTID_WAIT",
          "SOURCE_POS_WAIT",
          "WAIT_FOR_EXECUTED_GTID_SET",
          "WAIT_UNTIL_SQL_THREAD_AFTER_GTIDS",
          "WSREP_SYNC_WAIT_UPTO_GTID",
          "BENCHMARK",
          "LOAD_FILE");

  private static final Set<String> OF_SEQUENCES = Set.of("NEXTVAL", "SETVAL", "LASTVAL");

  private static final Set<String> DIFFERENT_EVERYWHERE =
      Set.of("RAND", "UUID", "UUID_SHORT", "SYS_GUID", "RANDOM_BYTES", "CONNECTION_ID");

  private SessionWords() {}

  /** Whether a replica must not run the statement. */
  static boolean needPrimary(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      if (isCall(tokens, token, PRIMARY_ONLY)
          || tokens.isOperator(token, ":=")
          || tokens.isWord(token, "INTO")
          || isStoredFunction(tokens, token)
          || isSequence(tokens, token)) {
        return true;
      }
    }
    return false;
  }

  /** The function that every shard would answer differently, or an empty text. */
  static String differentEverywhere(SqlTokens tokens) {
    return differentEverywhere(tokens, 0, tokens.size());
  }

  /** The same of the tokens {@code [from, to)}. */
  static String differentEverywhere(SqlTokens tokens, int from, int to) {
    for (int token = from; token < to; token++) {
      if (isCall(tokens, token, DIFFERENT_EVERYWHERE)
          || isCall(tokens, token, PRIMARY_ONLY)
          || tokens.isOperator(token, ":=")
          || isSequence(tokens, token)) {
        return tokens.text(token).toUpperCase(Locale.ROOT);
      }
    }
    return "";
  }

  /** What only the session's own connection can answer or keep, or an empty text. */
  static String tiedToSession(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      if (isCall(tokens, token, PRIMARY_ONLY)
          || tokens.isOperator(token, ":=")
          || (tokens.isWord(token, "CONNECTION_ID") && tokens.isPunctuation(token + 1, '('))
          || isSequence(tokens, token)) {
        return tokens.text(token).toUpperCase(Locale.ROOT);
      }
    }
    return "";
  }

  /** Whether a value is drawn from a sequence, or one is set. */
  static boolean useSequences(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      if (isCall(tokens, token, OF_SEQUENCES) || isSequence(tokens, token)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a function is called that the server does not bring along: it may write. */
  private static boolean isStoredFunction(SqlTokens tokens, int token) {
    if (!tokens.isPunctuation(token + 1, '(')) {
      return false;
    }
    return switch (tokens.kind(token)) {
      case QUOTED -> !namesColumns(tokens, token);
      case WORD ->
          tokens.isPunctuation(token - 1, '.')
              || (!BuiltInFunctions.include(tokens.text(token)) && !namesColumns(tokens, token));
      default -> false;
    };
  }

  /** Whether it is a common table expression or a derived table with a list of its columns. */
  private static boolean namesColumns(SqlTokens tokens, int token) {
    int end = token + 2;
    while (end < tokens.size() && !tokens.isPunctuation(end, ')')) {
      end++;
    }
    boolean isCommonTable = tokens.isWord(end + 1, "AS") && tokens.isPunctuation(end + 2, '(');
    boolean isDerivedTable =
        tokens.isPunctuation(token - 1, ')')
            || (tokens.isWord(token - 1, "AS") && tokens.isPunctuation(token - 2, ')'));
    return isCommonTable || isDerivedTable;
  }

  /**
   * {@code NEXT VALUE FOR s}, {@code PREVIOUS VALUE FOR s}, and what {@code sql_mode=ORACLE} knows:
   * {@code s.NEXTVAL}, {@code s.CURRVAL}. What was drawn last is known where it was drawn.
   */
  private static boolean isSequence(SqlTokens tokens, int token) {
    boolean isValue =
        tokens.isWord(token, "VALUE")
            && (tokens.isWord(token - 1, "NEXT") || tokens.isWord(token - 1, "PREVIOUS"))
            && tokens.isWord(token + 1, "FOR");
    boolean isMember =
        tokens.isPunctuation(token - 1, '.')
            && (tokens.isWord(token, "NEXTVAL") || tokens.isWord(token, "CURRVAL"));
    return isValue || isMember;
  }

  private static boolean isCall(SqlTokens tokens, int token, Set<String> functions) {
    return tokens.kind(token) == TokenKind.WORD
        && tokens.isPunctuation(token + 1, '(')
        && functions.contains(tokens.text(token).toUpperCase(Locale.ROOT));
  }
}
