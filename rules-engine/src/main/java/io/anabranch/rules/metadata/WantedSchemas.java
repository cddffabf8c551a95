package io.anabranch.rules.metadata;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.query.ClauseEnds;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The databases whose rows of {@code information_schema} a query can have in its answer, by a
 * condition {@code table_schema = 'shop'} that all of its rows must meet.
 */
public final class WantedSchemas {
  private static final Set<String> NOT_PLAIN = Set.of("OR", "XOR", "NOT", "CASE");
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
    TokenRange all = tokens.all();
    int where = all.findWord("WHERE");
    boolean isOne =
        !all.has(i -> ClauseEnds.isSetOperator(tokens, i) || tokens.isWord(i, "WITH"))
            && all.count(i -> tokens.isWord(i, "SELECT")) < 2
            && !all.hasKind(TokenKind.EXECUTABLE_START);
    if (where < 0 || !isOne) {
      return null;
    }
    int level = tokens.depth(where);
    int end =
        tokens
            .from(where + 1)
            .skip(i -> tokens.depth(i) != level || !ClauseEnds.endsCondition(tokens, i));
    TokenRange condition = tokens.between(where + 1, end);
    boolean isPlain =
        !condition.has(
            i -> tokens.depth(i) == level && (isOneOf(i, NOT_PLAIN) || tokens.isOperator(i, "||")));
    return isPlain
        ? condition.where(this::isColumn).stream()
            .flatMap(i -> Stream.ofNullable(compared(i + 1, end)))
            .findFirst()
            .orElse(null)
        : null;
  }

  private boolean isOneOf(int token, Set<String> words) {
    return !tokens.isPunctuation(token - 1, '.') && words.contains(tokens.word(token));
  }

  /** The schema that a row is of; at the beginning of a condition. */
  private boolean isColumn(int token) {
    String name = tokens.lowerName(token);
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
    int close = tokens.closing(operator + 1);
    List<Span> listed = tokens.between(operator + 2, close).parts();
    boolean areNames =
        tokens.isPunctuation(close, ')')
            && !listed.isEmpty()
            && listed.stream().allMatch(each -> name(each.first(), names) == each.behind());
    return areNames && endsCondition(close + 1, end) ? names : null;
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
