package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementCharset;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.SelectLayout;
import io.anabranch.rules.syntax.SelectSpans;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A select item without alias is called by its text: where the text changes ({@code EXISTS(SELECT 1
 * FROM t_order)}), the item gets the client's text as its alias. Used once.
 */
public final class ItemNames {

  /** What servers cut such names to. */
  private static final int LONGEST = 256;

  private static final Set<String> BEHIND_ITEMS =
      Set.of(
          "FROM",
          "WHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "LIMIT",
          "INTO",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "FOR",
          "LOCK",
          "ON",
          "SELECT",
          "PROCEDURE");

  /** Words with an operand behind them: what follows is no alias. */
  private static final Set<String> OPERATORS =
      Set.of(
          "AND", "OR", "XOR", "NOT", "DIV", "MOD", "LIKE", "RLIKE", "REGEXP", "IS", "BINARY",
          "COLLATE", "OVER", "ESCAPE");

  /** Words in front of the string of a literal. */
  private static final Set<String> TYPES = Set.of("DATE", "TIME", "TIMESTAMP", "N");

  private static final Set<String> CONSTANTS = Set.of("NULL", "TRUE", "FALSE");

  private final SourceEdits edits;
  private final SqlTokens tokens;
  private final SortedSet<Integer> slots = new TreeSet<>();

  private ItemNames(SourceEdits edits) {
    this.edits = edits;
    this.tokens = edits.source().tokens();
  }

  /**
   * Names the items whose text has been edited.
   *
   * @return slots whose literals are in the names: the text holds for them alone
   */
  public static int[] keep(SourceEdits edits) {
    var names = new ItemNames(edits);
    for (int token = 0; token < names.tokens.size(); token++) {
      boolean opens =
          names.tokens.isWord(token, "SELECT")
              || (names.tokens.isWord(token, "RETURNING") && names.tokens.isWord(0, "DELETE"));
      if (opens && !names.tokens.isPunctuation(token - 1, '.')) {
        names.eachItem(token, names::name);
      } else if (names.opensRows(token)) {
        names.nameRow(token + 1);
      }
    }
    return names.slots.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Gives items of a query that are columns their names in upper case.
   *
   * @param columns the names
   */
  public static void inUpperCase(SourceEdits edits, Set<String> columns) {
    SelectSpans main = SelectSpans.main(edits.source().tokens());
    if (main != null) {
      var names = new ItemNames(edits);
      names.eachItem(
          main.select(),
          (first, behind) -> {
            int last = names.tokens.isPunctuation(behind - 1, ')') ? behind - 2 : behind - 1;
            boolean isName = names.isColumn(first, behind - 1) && names.tokens.isName(last);
            String name = isName ? names.tokens.name(last).toUpperCase(Locale.ROOT) : "";
            if (columns.contains(name) && !name.equals(names.tokens.name(last))) {
              int end = edits.end(behind - 1);
              edits.replace(end, end, List.of(edits.text(" AS " + TableNames.quoted(name))));
            }
          });
    }
  }

  /** The token behind the items of a SELECT, which is {@code select}. */
  public static int behindItems(SqlTokens tokens, int select) {
    int token = select + 1;
    while (!isBehindItems(tokens, token, tokens.depth(select))) {
      token++;
    }
    return token;
  }

  /** Whether an item of several tokens ends with an alias, with or without {@code AS}. */
  public static boolean isNamed(SqlTokens tokens, int first, int behind) {
    int last = behind - 1;
    if (last <= first || tokens.depth(last) != tokens.depth(first)) {
      return false;
    }
    if (tokens.isWord(last - 1, "AS")) {
      return true;
    }
    boolean isString = tokens.kind(last) == TokenKind.STRING;
    boolean isTyped =
        isString
            && tokens.kind(last - 1) == TokenKind.WORD
            && (TYPES.contains(word(tokens, last - 1)) || tokens.text(last - 1).startsWith("_"));
    return (tokens.isName(last) || isString)
        && !isTyped
        && !tokens.isPunctuation(last - 1, '.')
        && !isUnnamed(tokens, last)
        && !isCase(tokens, first, last);
  }

  private interface ItemVisitor {

    void visit(int first, int behind);
  }

  private void eachItem(int select, ItemVisitor visitor) {
    int depth = tokens.depth(select);
    int first = SelectLayout.behindModifiers(tokens, select + 1);
    for (int token = first; ; token++) {
      boolean isLast = isBehindItems(tokens, token, depth);
      if (isLast || (tokens.depth(token) == depth && tokens.isPunctuation(token, ','))) {
        visitor.visit(first, token);
        first = token + 1;
      }
      if (isLast) {
        return;
      }
    }
  }

  /**
   * Whether the items end in front of the token.
   *
   * @param depth of the word SELECT
   */
  public static boolean isBehindItems(SqlTokens tokens, int token, int depth) {
    return token >= tokens.size()
        || tokens.depth(token) < depth
        || (tokens.depth(token) == depth
            && (tokens.isPunctuation(token, ';')
                || (tokens.kind(token) == TokenKind.WORD
                    && !tokens.isPunctuation(token - 1, '.')
                    && !isOfSequence(tokens, token)
                    && BEHIND_ITEMS.contains(tokens.text(token).toUpperCase(Locale.ROOT)))));
  }

  /** {@code NEXT VALUE FOR s}. */
  private static boolean isOfSequence(SqlTokens tokens, int token) {
    return tokens.isWord(token, "FOR") && tokens.isWord(token - 1, "VALUE");
  }

  private void name(int first, int behind) {
    int last = behind - 1;
    if (first > last
        || !edits.renames(edits.start(first), edits.end(last))
        || isColumn(first, last)
        || !(isUnnamed(tokens, last) || isCase(tokens, first, last))) {
      return;
    }
    int end = edits.end(last);
    edits.replace(
        end, end, List.of(edits.text(alias(edits.source().text(), tokens, first, behind))));
    slots.addAll(new SelectLayout.Span(first, behind).literals(tokens));
  }

  /** MariaDB's {@code VALUES (1, 2)} where somebody sees how its columns are called. */
  private boolean opensRows(int token) {
    if (!tokens.isWord(token, "VALUES") || !tokens.isPunctuation(token + 1, '(')) {
      return false;
    }
    int before = token - 1;
    while (tokens.isPunctuation(before, '(')) {
      before--;
    }
    return before < 0
        || tokens.isWord(before, "FROM")
        || tokens.isWord(before, "JOIN")
        || tokens.isWord(before, "AS");
  }

  /**
   * Columns are called by the text of the first row, in which no value can have an alias: a SELECT
   * of no rows in front of it gives the names, and leaves the types to the rows.
   */
  private void nameRow(int open) {
    int close = tokens.closing(open);
    if (close >= tokens.size() || !edits.renames(edits.start(open), edits.end(close))) {
      return;
    }
    var names = new ArrayList<Piece>();
    int first = open + 1;
    for (int token = first; token <= close; token++) {
      boolean ends = tokens.depth(token) == tokens.depth(first) && tokens.isPunctuation(token, ',');
      if (token == close || ends) {
        names.add(edits.text(names.isEmpty() ? "SELECT " : ", "));
        names.addAll(nameOf(first, token));
        first = token + 1;
      }
    }
    names.add(edits.text(" FROM DUAL WHERE FALSE UNION ALL "));
    int values = edits.start(open - 1);
    edits.replace(values, values, names);
  }

  private List<Piece> nameOf(int first, int behind) {
    if (!edits.renames(edits.start(first), edits.end(behind - 1))) {
      return edits.copyTokens(first, behind);
    }
    slots.addAll(new SelectLayout.Span(first, behind).literals(tokens));
    return List.of(edits.text("NULL" + alias(edits.source().text(), tokens, first, behind)));
  }

  /** What follows an item that is to be called by its text, as a server would call it. */
  public static String alias(String text, SqlTokens tokens, int first, int behind) {
    int start = tokens.start(first);
    int end = Math.min(tokens.end(behind - 1), start + LONGEST + 1);
    return " AS " + TableNames.quoted(cut(StatementCharset.name(text.substring(start, end))));
  }

  /** A column, qualified or not, is called by its name; {@code *} by none. */
  private boolean isColumn(int first, int last) {
    int from = first;
    int to = last;
    while (tokens.isPunctuation(from, '(') && tokens.closing(from) == to) {
      from++;
      to--;
    }
    for (int token = from; token < to; token++) {
      boolean isPart = (token - from) % 2 == 0 ? tokens.isName(token) : isPoint(token);
      if (!isPart) {
        return false;
      }
    }
    return from <= to && (tokens.isName(to) || tokens.isOperator(to, "*"));
  }

  private boolean isPoint(int token) {
    return tokens.isPunctuation(token, '.');
  }

  /** Whether an item that ends with {@code last} surely has no alias. */
  private static boolean isUnnamed(SqlTokens tokens, int last) {
    boolean isSequence =
        isOfSequence(tokens, tokens.isPunctuation(last - 1, '.') ? last - 3 : last - 1);
    boolean behindOperator =
        isSequence
            || tokens.kind(last - 1) == TokenKind.OPERATOR
            || (tokens.kind(last - 1) == TokenKind.WORD
                && OPERATORS.contains(word(tokens, last - 1)));
    return switch (tokens.kind(last)) {
      case PUNCTUATION -> tokens.isPunctuation(last, ')');
      case NUMBER, BINARY, MARKER -> true;
      case WORD -> behindOperator || CONSTANTS.contains(word(tokens, last));
      case QUOTED, VARIABLE, STRING -> behindOperator;
      case OPERATOR, OPTIMIZER_HINT, EXECUTABLE_START, EXECUTABLE_END, NONE -> false;
    };
  }

  /** Whether the item ends with the END of a CASE. */
  private static boolean isCase(SqlTokens tokens, int first, int last) {
    if (!tokens.isWord(last, "END")) {
      return false;
    }
    int open = 0;
    for (int token = first; token <= last; token++) {
      open += tokens.isWord(token, "CASE") ? 1 : tokens.isWord(token, "END") ? -1 : 0;
      if (open < 0) {
        return false;
      }
    }
    return open == 0;
  }

  private static String word(SqlTokens tokens, int token) {
    return tokens.text(token).toUpperCase(Locale.ROOT);
  }

  private static String cut(String text) {
    String name = text;
    while (name.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      name = name.substring(0, name.offsetByCodePoints(name.length(), -1));
    }
    return name.stripTrailing();
  }
}
