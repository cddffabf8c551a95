package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a name that a WITH clause defines means that common table, in tokens: behind its query, or
 * from it on where the clause is RECURSIVE, until the query ends that has the clause. Elsewhere the
 * same name is a table's. See <a href="https://dev.mysql.com/doc/refman/8.4/en/with.html">WITH</a>.
 *
 * @param name the token that is defined
 * @param query the parenthesis that opens its query
 * @param from the first token at which the name is known
 * @param behind the first token at which it is no longer known
 */
public record CommonTableSpan(int name, int query, int from, int behind) {

  /** Those that are defined in front of the token {@code behind}, in the order of the text. */
  public static List<CommonTableSpan> of(SqlTokens tokens, int behind) {
    var found = new ArrayList<CommonTableSpan>();
    for (int token = 0; token < behind; token++) {
      if (tokens.isWord(token, "WITH") && !tokens.isPunctuation(token - 1, '.')) {
        boolean recursive = tokens.isWord(token + 1, "RECURSIVE") && query(tokens, token + 1) < 0;
        clause(tokens, recursive ? token + 2 : token + 1, recursive, found);
      }
    }
    return found;
  }

  private static void clause(
      SqlTokens tokens, int first, boolean recursive, List<CommonTableSpan> found) {
    int name = first;
    int end = end(tokens, first);
    for (int query = query(tokens, name); query >= 0; query = query(tokens, name)) {
      int close = tokens.closing(query);
      found.add(new CommonTableSpan(name, query, recursive ? query : close, end));
      name = tokens.isPunctuation(close + 1, ',') ? close + 2 : tokens.size();
    }
  }

  /** The parenthesis behind {@code name [(columns)] AS}; -1: no common table is defined there. */
  private static int query(SqlTokens tokens, int name) {
    int as = tokens.isPunctuation(name + 1, '(') ? tokens.closing(name + 1) + 1 : name + 1;
    boolean isOne =
        tokens.isName(name) && tokens.isWord(as, "AS") && tokens.isPunctuation(as + 1, '(');
    return isOne ? as + 1 : -1;
  }

  /** Where the parenthesis closes that the clause stands in. */
  private static int end(SqlTokens tokens, int within) {
    int open = tokens.around(within);
    return open < 0 ? tokens.size() : tokens.closing(open);
  }

  /** The names of {@code tables} as they are written, those alone that are known at a token. */
  static Set<String> knownAt(List<CommonTableSpan> tables, SqlTokens tokens, int token) {
    return tables.stream()
        .filter(table -> table.from <= token && token < table.behind)
        .map(table -> tokens.name(table.name))
        .collect(Collectors.toSet());
  }

  /** Names in lower case of those that are defined in front of the token {@code behind}. */
  public static Set<String> names(SqlTokens tokens, int behind) {
    return of(tokens, behind).stream()
        .map(table -> tokens.name(table.name).toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }
}
