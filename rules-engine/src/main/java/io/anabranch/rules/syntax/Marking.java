package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.MarkedText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes a statement the way the parser is given it. Used once. */
public final class Marking {

  /** Words in front of a string that make it a value of another type. */
  private static final Set<String> TEMPORAL = Set.of("DATE", "TIMESTAMP");

  private static final Set<String> OPAQUE = Set.of("TIME", "N");

  /** Words behind which a plus is a sign. */
  private static final Set<String> BEFORE_SIGN =
      Set.of(
          "AND",
          "OR",
          "XOR",
          "NOT",
          "BETWEEN",
          "SELECT",
          "DISTINCT",
          "WHERE",
          "ON",
          "HAVING",
          "BY",
          "WHEN",
          "THEN",
          "ELSE",
          "CASE",
          "LIKE",
          "DIV",
          "MOD",
          "RETURN",
          "VALUES",
          "INTERVAL");

  /** Words that the parser reserves in queries and changes of rows, and no server does. */
  private static final String[] ONLY_THE_PARSERS = {
    "CONTAINS", "DIAGNOSTICS", "FULL", "TABLESPACE"
  };

  /** Statements whose COLLATE stands in expressions; that of the others describes tables. */
  private static final Set<String> OF_EXPRESSIONS =
      Set.of("SELECT", "WITH", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE", "DO");

  private final SqlTokens tokens;
  private final Set<String> known;
  private final CommonTables commonTables;
  private final StringBuilder sql;
  private final List<String> names;
  private final int behind;

  private Marking(SourceText source, Set<String> known, CommonTables commonTables, int behind) {
    this.tokens = source.tokens();
    this.behind = behind;
    this.known = new HashSet<>(known);
    this.known.addAll(commonTables.names());
    this.commonTables = commonTables;
    this.sql = new StringBuilder(source.text().length() + 16);
    this.names = new ArrayList<>(Collections.nCopies(tokens.size(), ""));
  }

  /**
   * @param known names in lower case whose tokens the tree must lead back to, beside those of
   *     common tables
   * @param behind the token behind what the parser is to read
   */
  public static MarkedText mark(
      SourceText source, Set<String> known, CommonTables commonTables, int behind) {
    return new Marking(source, known, commonTables, behind).marked();
  }

  /** The same for all of the text. */
  public static MarkedText mark(SourceText source, Set<String> known, CommonTables commonTables) {
    return mark(source, known, commonTables, source.tokens().size());
  }

  private MarkedText marked() {
    for (int token = 0; token < behind; token++) {
      if (isUnheard(tokens.kind(token))
          || isTypeOfNext(token)
          || isPlusOfNext(token)
          || isNatural(token)) {
        continue;
      }
      int locks = RowLocks.behindUnknown(tokens, token);
      if (locks > token) {
        token = locks - 1;
        continue;
      }
      if (isMembership(token)) {
        // as tight, and no condition that leads to a node
        sql.append(" REGEXP ");
        token++;
        continue;
      }
      if (!sql.isEmpty() && (token == 0 || tokens.end(token - 1) < tokens.start(token))) {
        sql.append(' ');
      }
      if (isCollation(token)) {
        // the parser would drop it, and what it stands behind would be taken for a plain column
        sql.append(" ^ ").append(MarkedText.OPAQUE).append("(1)");
        token++;
      } else if (tokens.slot(token) >= 0) {
        slot(token);
      } else if (isMarked(token)) {
        names.set(token, tokens.name(token));
        sql.append("`#").append(token).append('`');
      } else if (tokens.kind(token) == TokenKind.OPERATOR) {
        operator(tokens.text(token));
      } else {
        sql.append(tokens.text(token));
      }
    }
    return new MarkedText(sql.toString(), names, this::definition);
  }

  private int definition(int token) {
    CommonTables.Definition meant = commonTables.meant(token);
    return meant == null ? MarkedText.NO_TOKEN : meant.name();
  }

  /** {@code t NATURAL LEFT JOIN u}: the parser would take the word for an alias of the table. */
  private boolean isNatural(int token) {
    return tokens.isWord(token, "NATURAL")
        && !tokens.isPunctuation(token - 1, '.')
        && (tokens.isWord(token + 1, "LEFT")
            || tokens.isWord(token + 1, "RIGHT")
            || tokens.isWord(token + 1, "INNER"));
  }

  private boolean isCollation(int token) {
    return tokens.isWord(token, "COLLATE")
        && token > 0
        && token + 1 < tokens.size()
        && !tokens.isPunctuation(token - 1, '.')
        && tokens.kind(token + 1) != TokenKind.OPERATOR
        && tokens.kind(token + 1) != TokenKind.PUNCTUATION
        && hasExpressions();
  }

  /** MySQL's {@code 3 MEMBER OF (j)}. */
  private boolean isMembership(int token) {
    return tokens.isWord(token, "MEMBER")
        && tokens.isWord(token + 1, "OF")
        && tokens.isPunctuation(token + 2, '(');
  }

  private boolean hasExpressions() {
    int first = 0;
    while (first < tokens.size() && tokens.isPunctuation(first, '(')) {
      first++;
    }
    return OF_EXPRESSIONS.contains(tokens.word(first));
  }

  private void slot(int token) {
    if (tokens.isWord(token + 1, "PRECEDING") || tokens.isWord(token + 1, "FOLLOWING")) {
      sql.append(" 1 ");
      return;
    }
    String function = "";
    if (tokens.kind(token) == TokenKind.BINARY) {
      function = isString(tokens.text(token)) ? MarkedText.OPAQUE : MarkedText.BITS;
    } else if (isTypeOfNext(token - 1)) {
      boolean temporal = TEMPORAL.contains(tokens.word(token - 1));
      function = temporal ? MarkedText.TEMPORAL : MarkedText.OPAQUE;
    }
    sql.append(' ').append(function).append(function.isEmpty() ? "" : "(");
    sql.append(MarkedText.SLOT).append(tokens.slot(token)).append(function.isEmpty() ? " " : ") ");
  }

  /** {@code x'41'} is a string to one server and a number to another. */
  private static boolean isString(String literal) {
    return literal.charAt(0) == 'x' || literal.charAt(0) == 'X';
  }

  /** {@code DATE '…'}, {@code _utf8mb4'…'}, {@code N'…'}: one literal of two tokens. */
  private boolean isTypeOfNext(int token) {
    if (token < 0
        || token + 1 >= tokens.size()
        || tokens.kind(token) != TokenKind.WORD
        || tokens.isPunctuation(token - 1, '.')) {
      return false;
    }
    TokenKind next = tokens.kind(token + 1);
    String word = tokens.text(token).toUpperCase(Locale.ROOT);
    if (word.startsWith("_") && word.length() > 1) {
      return next == TokenKind.STRING || next == TokenKind.BINARY;
    }
    return next == TokenKind.STRING && (TEMPORAL.contains(word) || OPAQUE.contains(word));
  }

  /** {@code +5}: the parser takes the sign in front of plain numbers only. */
  private boolean isPlusOfNext(int token) {
    if (!tokens.isOperator(token, "+")
        || token + 1 >= tokens.size()
        || tokens.slot(token + 1) < 0
        || token == 0) {
      return false;
    }
    return switch (tokens.kind(token - 1)) {
      case OPERATOR -> true;
      case PUNCTUATION ->
          tokens.isPunctuation(token - 1, '(') || tokens.isPunctuation(token - 1, ',');
      case WORD -> BEFORE_SIGN.contains(tokens.word(token - 1));
      default -> false;
    };
  }

  /**
   * MySQL reads {@code 1--1} as minus minus; the parser would take it for a comment. {@code ->} has
   * no precedence there: any operator that binds tighter than comparisons stands for it.
   */
  private void operator(String operator) {
    if (operator.equals("->") || operator.equals("->>")) {
      sql.append(" * ");
      return;
    }
    for (int i = 0; i < operator.length(); i++) {
      char c = operator.charAt(i);
      if (c == '-' && !sql.isEmpty() && sql.charAt(sql.length() - 1) == '-') {
        sql.append(' ');
      }
      sql.append(c);
    }
  }

  private static boolean isUnheard(TokenKind kind) {
    return kind == TokenKind.OPTIMIZER_HINT
        || kind == TokenKind.EXECUTABLE_START
        || kind == TokenKind.EXECUTABLE_END;
  }

  private boolean isMarked(int token) {
    return switch (tokens.kind(token)) {
      case QUOTED -> true;
      case WORD ->
          !isAscii(tokens.text(token))
              || tokens.isPlainName(token)
              || (tokens.isAnyWord(token, ONLY_THE_PARSERS)
                  && !tokens.isAnyWord(token + 1, "JOIN", "OUTER")
                  && !tokens.isPunctuation(token + 1, '('))
              || (known.contains(tokens.text(token).toLowerCase(Locale.ROOT))
                  && !tokens.isPunctuation(token + 1, '('));
      default -> false;
    };
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 127) {
        return false;
      }
    }
    return true;
  }
}
