package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.MarkedText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/** Writes a statement the way the parser is given it. */
final class Marking {

  private Marking() {}

  /**
   * @param known names in lower case whose tokens the tree must lead back to
   */
  static MarkedText mark(SourceText source, Set<String> known) {
    SqlTokens tokens = source.tokens();
    var sql = new StringBuilder(source.text().length() + 16);
    var slots = IntStream.builder();
    List<String> names = new ArrayList<>(Collections.nCopies(tokens.size(), ""));
    for (int token = 0; token < tokens.size(); token++) {
      if (isUnheard(tokens.kind(token))) {
        continue;
      }
      if (!sql.isEmpty() && (token == 0 || tokens.end(token - 1) < tokens.start(token))) {
        sql.append(' ');
      }
      if (tokens.slot(token) >= 0) {
        slots.add(tokens.slot(token));
        sql.append(" ? ");
      } else if (isMarked(tokens, token, known)) {
        names.set(token, tokens.name(token));
        sql.append("`#").append(token).append('`');
      } else if (tokens.kind(token) == TokenKind.OPERATOR) {
        appendOperator(sql, tokens.text(token));
      } else {
        sql.append(tokens.text(token));
      }
    }
    return new MarkedText(sql.toString(), slots.build().toArray(), names);
  }

  /** MySQL reads {@code 1--1} as minus minus; the parser would take it for a comment. */
  private static void appendOperator(StringBuilder sql, String operator) {
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

  private static boolean isMarked(SqlTokens tokens, int token, Set<String> known) {
    return switch (tokens.kind(token)) {
      case QUOTED -> true;
      case WORD ->
          !isAscii(tokens.text(token))
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
