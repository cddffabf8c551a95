package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which columns of a reference a statement may need: each whose name it mentions in a way that can
 * mean this reference. More than needed does no harm, except to NATURAL joins and {@code *}, for
 * which all columns are taken.
 */
final class StagedColumns {

  private static final Set<String> BEFORE_STAR =
      Set.of(
          "SELECT",
          "ALL",
          "DISTINCT",
          "DISTINCTROW",
          "HIGH_PRIORITY",
          "STRAIGHT_JOIN",
          "SQL_SMALL_RESULT",
          "SQL_BIG_RESULT",
          "SQL_BUFFER_RESULT",
          "SQL_CACHE",
          "SQL_NO_CACHE");

  private final SqlTokens tokens;
  private final List<SelectSpans> selects;

  StagedColumns(SqlTokens tokens, List<SelectSpans> selects) {
    this.tokens = tokens;
    this.selects = selects;
  }

  /** In the order of the table; never empty. */
  List<Column> needed(StagedReference reference) {
    var names = new HashSet<String>();
    for (int name : tokens.all().where(token -> !tokens.isPunctuation(token + 1, '.'))) {
      collect(name, reference, names);
    }
    boolean all = needsAll(reference);
    var columns = new ArrayList<Column>();
    for (Column column : reference.columns()) {
      boolean named = names.contains(column.name().toLowerCase(Locale.ROOT));
      if (all && named && column.hidden()) {
        throw new NotMergeableException(
            "* beside the invisible column '" + column.name() + "'", "name all columns");
      }
      if (named || (all && !column.hidden())) {
        columns.add(column);
      }
    }
    return columns.isEmpty() ? reference.columns().subList(0, 1) : columns;
  }

  private boolean needsAll(StagedReference reference) {
    return tokens
        .from(1)
        .has(
            token ->
                tokens.isOperator(token, "*")
                    ? isStarOf(token, reference)
                    : tokens.isWord(token, "NATURAL")
                        && SelectSpans.around(selects, token) == reference.select());
  }

  private boolean isStarOf(int star, StagedReference reference) {
    if (tokens.isPunctuation(star - 1, '.')) {
      return reference.isNamed(tokens.name(star - 2));
    }
    boolean isItem =
        tokens.isPunctuation(star - 1, ',') || BEFORE_STAR.contains(tokens.word(star - 1));
    int select = SelectSpans.around(selects, star);
    return isItem && select == reference.select() && !isInExists(selects.get(select));
  }

  /** What EXISTS selects is not looked at. */
  private boolean isInExists(SelectSpans select) {
    return tokens.isPunctuation(select.select() - 1, '(')
        && tokens.isWord(select.select() - 2, "EXISTS");
  }

  /** Columns of the reference that the statement compares with other columns by {@code =}. */
  List<Column> joined(StagedReference reference, List<Column> among) {
    var names = new HashSet<String>();
    for (int equals : tokens.all().where(token -> tokens.isOperator(token, "="))) {
      int left = equals - 1;
      int right = tokens.lastOfName(equals + 1);
      if (tokens.isName(left) && tokens.isName(right) && !tokens.isPunctuation(right + 1, '(')) {
        collect(left, reference, names);
        collect(right, reference, names);
      }
    }
    for (int using : tokens.all().calls()) {
      if (tokens.isWord(using, "USING")) {
        tokens
            .between(using + 2, tokens.closing(using + 1))
            .names()
            .forEach(name -> collect(name, reference, names));
      }
    }
    return among.stream()
        .filter(column -> names.contains(column.name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private void collect(int token, StagedReference reference, Set<String> to) {
    boolean qualified = tokens.isPunctuation(token - 1, '.');
    if (tokens.isName(token) && (!qualified || reference.isNamed(tokens.name(token - 2)))) {
      to.add(tokens.lowerName(token));
    }
  }
}
