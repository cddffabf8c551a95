package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementCharset;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.SelectItems;
import io.anabranch.rules.syntax.query.SelectSpans;
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
    SqlTokens tokens = names.tokens;
    for (int word : tokens.all().words("SELECT", "RETURNING", "VALUES")) {
      boolean opens =
          tokens.isWord(word, "SELECT")
              || (tokens.isWord(word, "RETURNING") && tokens.isWord(0, "DELETE"));
      if (opens && !tokens.isPunctuation(word - 1, '.')) {
        SelectItems.of(tokens, word).forEach(names::name);
      } else if (names.opensRows(word)) {
        names.nameRow(word + 1);
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
    SqlTokens tokens = edits.source().tokens();
    SelectSpans main = SelectSpans.main(tokens);
    if (main != null) {
      for (Span item : SelectItems.of(tokens, main.select())) {
        int behind = item.behind();
        int last = tokens.isPunctuation(behind - 1, ')') ? behind - 2 : behind - 1;
        boolean isName = SelectItems.isColumn(tokens, item) && tokens.isName(last);
        String name = isName ? tokens.name(last).toUpperCase(Locale.ROOT) : "";
        if (columns.contains(name) && !name.equals(tokens.name(last))) {
          int end = edits.end(behind - 1);
          edits.replace(end, end, List.of(edits.text(" AS " + TableNames.quoted(name))));
        }
      }
    }
  }

  private void name(Span item) {
    int last = item.behind() - 1;
    if (item.isEmpty()
        || !edits.renames(edits.start(item.first()), edits.end(last))
        || SelectItems.isColumn(tokens, item)
        || !SelectItems.isUnnamed(tokens, item)) {
      return;
    }
    int end = edits.end(last);
    String alias = alias(edits.source().text(), tokens, item.first(), item.behind());
    edits.replace(end, end, List.of(edits.text(alias)));
    slots.addAll(item.literals(tokens));
  }

  /** MariaDB's {@code VALUES (1, 2)} where somebody sees how its columns are called. */
  private boolean opensRows(int token) {
    if (!tokens.isWord(token, "VALUES") || !tokens.isPunctuation(token + 1, '(')) {
      return false;
    }
    int before = tokens.beforeOpenings(token);
    return before < 0 || tokens.isAnyWord(before, "FROM", "JOIN", "AS");
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
    for (Span value : tokens.between(open + 1, close).parts()) {
      names.add(edits.text(names.isEmpty() ? "SELECT " : ", "));
      names.addAll(nameOf(value.first(), value.behind()));
    }
    names.add(edits.text(" FROM DUAL WHERE FALSE UNION ALL "));
    int values = edits.start(open - 1);
    edits.replace(values, values, names);
  }

  private List<Piece> nameOf(int first, int behind) {
    if (!edits.renames(edits.start(first), edits.end(behind - 1))) {
      return edits.copyTokens(first, behind);
    }
    slots.addAll(new Span(first, behind).literals(tokens));
    return List.of(edits.text("NULL" + alias(edits.source().text(), tokens, first, behind)));
  }

  /** What follows an item that is to be called by its text, as a server would call it. */
  public static String alias(String text, SqlTokens tokens, int first, int behind) {
    int start = tokens.start(first);
    int end = Math.min(tokens.end(behind - 1), start + LONGEST + 1);
    return " AS " + TableNames.quoted(cut(StatementCharset.name(text.substring(start, end))));
  }

  private static String cut(String text) {
    String name = text;
    while (name.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      name = name.substring(0, name.offsetByCodePoints(name.length(), -1));
    }
    return name.stripTrailing();
  }
}
