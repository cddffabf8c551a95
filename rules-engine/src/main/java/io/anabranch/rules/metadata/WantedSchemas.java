package io.anabranch.rules.metadata;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The databases whose rows of {@code information_schema} a query can have in its answer, by a
 * condition {@code table_schema = 'shop'} that all of its rows must meet.
 */
public final class WantedSchemas {

  private static final Set<String> BEHIND_WHERE =
      Set.of("GROUP", "ORDER", "HAVING", "LIMIT", "FOR", "INTO", "WINDOW", "PROCEDURE");
  private static final Set<String> NOT_PLAIN = Set.of("OR", "XOR", "NOT", "CASE");
  private static final Set<String> SEVERAL = Set.of("UNION", "EXCEPT", "INTERSECT", "WITH");

  private final SqlTokens tokens;
  private final String own;

  private WantedSchemas(SqlTokens tokens, String own) {
    this.tokens = tokens;
    this.own = own.toLowerCase(Locale.ROOT);
  }

  /**
   * @param own name of the current database
   * @return names in lower case; null: any database's
   */
  public static @Nullable Set<String> of(SqlTokens tokens, String own) {
    return new WantedSchemas(tokens, own).found();
  }

  private @Nullable Set<String> found() {
    int where = -1;
    int selects = 0;
    for (int i = 0; i < tokens.size(); i++) {
      selects += tokens.isWord(i, "SELECT") ? 1 : 0;
      if (isOneOf(i, SEVERAL) || selects > 1 || tokens.kind(i) == TokenKind.EXECUTABLE_START) {
        return null;
      }
      where = where < 0 && tokens.isWord(i, "WHERE") ? i : where;
    }
    if (where < 0) {
      return null;
    }
    int end = where + 1;
    for (; end < tokens.size(); end++) {
      boolean isTop = tokens.depth(end) == tokens.depth(where);
      if (isTop && isOneOf(end, BEHIND_WHERE)) {
        break;
      }
      if (isTop && (isOneOf(end, NOT_PLAIN) || tokens.isOperator(end, "||"))) {
        return null;
      }
    }
    for (int i = where + 1; i < end; i++) {
      Set<String> names = isColumn(i) ? compared(i + 1, end) : null;
      if (names != null) {
        return names;
      }
    }
    return null;
  }

  private boolean isOneOf(int token, Set<String> words) {
    return tokens.kind(token) == TokenKind.WORD
        && !tokens.isPunctuation(token - 1, '.')
        && words.contains(tokens.text(token).toUpperCase(Locale.ROOT));
  }

  /** The schema that a row is of; at the beginning of a condition. */
  private boolean isColumn(int token) {
    if (!tokens.isName(token)) {
      return false;
    }
    String name = tokens.name(token).toLowerCase(Locale.ROOT);
    boolean isSchema =
        (name.endsWith("_schema") || name.equals("schema_name"))
            && !name.startsWith("referenced_")
            && !name.startsWith("unique_");
    int first = tokens.firstOfName(token);
    return isSchema && (tokens.isWord(first - 1, "WHERE") || tokens.isWord(first - 1, "AND"));
  }

  private @Nullable Set<String> compared(int operator, int end) {
    var names = new HashSet<String>();
    if (tokens.isOperator(operator, "=")) {
      int behind = name(operator + 1, names);
      return behind > 0 && endsCondition(behind, end) ? names : null;
    }
    if (!tokens.isWord(operator, "IN") || !tokens.isPunctuation(operator + 1, '(')) {
      return null;
    }
    int next = operator + 1;
    do {
      next = name(next + 1, names);
    } while (next > 0 && tokens.isPunctuation(next, ','));
    boolean isList = next > 0 && tokens.isPunctuation(next, ')');
    return isList && endsCondition(next + 1, end) ? names : null;
  }

  private boolean endsCondition(int token, int end) {
    return token >= end || tokens.isWord(token, "AND") || tokens.isPunctuation(token, ';');
  }

  /** Reads a string or DATABASE(); the token behind it, -1 if there is neither. */
  private int name(int token, Set<String> names) {
    if (token >= tokens.size()) {
      return -1;
    }
    boolean isCall = tokens.isWord(token, "DATABASE") || tokens.isWord(token, "SCHEMA");
    if (isCall && tokens.isPunctuation(token + 1, '(') && tokens.isPunctuation(token + 2, ')')) {
      names.add(own);
      return token + 3;
    }
    String text = tokens.text(token);
    boolean isPlain =
        tokens.kind(token) == TokenKind.STRING
            && text.length() > 1
            && (text.charAt(0) == '\'' || text.charAt(0) == '"')
            && text.indexOf('\\') < 0
            && text.indexOf(text.charAt(0), 1) == text.length() - 1;
    if (!isPlain) {
      return -1;
    }
    names.add(text.substring(1, text.length() - 1).stripTrailing().toLowerCase(Locale.ROOT));
    return token + 1;
  }
}
