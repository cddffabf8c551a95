package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
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

  /** Without hints and marks of comments, which part what belongs together. */
  private final SqlTokens tokens;

  /** Of these tokens; {@link StagedReference#select} is a position among them, too. */
  private final List<SelectSpans> selects;

  private final List<StagedReference> references;
  private final List<Integer> compared;

  /** Where {@code *} is an item of a SELECT, and all of it. */
  private final Set<Integer> stars = new HashSet<>();

  /**
   * @param references all of the statement
   */
  StagedColumns(SqlTokens tokens, List<StagedReference> references) {
    this.tokens = tokens.withoutMarks();
    this.selects = SelectSpans.of(this.tokens);
    this.references = references;
    this.compared = compared();
    for (SelectSpans select : selects) {
      select.items(this.tokens).stream()
          .map(Span::first)
          .filter(first -> this.tokens.isOperator(first, "*"))
          .forEach(stars::add);
    }
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
    int select = SelectSpans.around(selects, star);
    return select == reference.select() && stars.contains(star) && !isInExists(selects.get(select));
  }

  /** What EXISTS selects is not looked at, but for how many columns the parts of a UNION have. */
  private boolean isInExists(SelectSpans select) {
    return tokens.isPunctuation(select.select() - 1, '(')
        && tokens.isWord(select.select() - 2, "EXISTS")
        && select.behind() == tokens.closing(select.select() - 1);
  }

  /** Columns of the reference that the statement compares with other columns by {@code =}. */
  List<Column> joined(StagedReference reference, List<Column> among) {
    var names = new HashSet<String>();
    compared.forEach(name -> collect(name, reference, names));
    return among.stream()
        .filter(column -> names.contains(column.name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  /**
   * Names of columns that are compared with others. A key of strings that are compared under the
   * collation of another column finds too few rows on MySQL ("range checked for each record"): they
   * are not among them.
   */
  private List<Integer> compared() {
    var names = new ArrayList<Integer>();
    for (int equals : tokens.all().where(token -> tokens.isOperator(token, "="))) {
      int left = equals - 1;
      int right = tokens.lastOfName(equals + 1);
      if (tokens.isName(left)
          && tokens.isName(right)
          && !tokens.isPunctuation(right + 1, '(')
          && areComparedAlike(left, right)) {
        names.add(left);
        names.add(right);
      }
    }
    for (int using : tokens.all().calls()) {
      if (tokens.isWord(using, "USING")) {
        tokens.between(using + 2, tokens.closing(using + 1)).names().stream()
            .filter(name -> areComparedAlike(name, name))
            .forEach(names::add);
      }
    }
    return names;
  }

  /** Whether all strings that two names may mean have one collation. */
  private boolean areComparedAlike(int left, int right) {
    var collations = new HashSet<String>();
    for (StagedReference reference : references) {
      for (int token : new int[] {left, right}) {
        boolean isOther =
            tokens.isPunctuation(token - 1, '.') && !reference.isNamed(tokens.name(token - 2));
        Column column = isOther ? null : reference.column(tokens.name(token));
        if (column != null && column.collation() != null) {
          collations.add(column.collation());
        }
      }
    }
    return collations.size() <= 1;
  }

  private void collect(int token, StagedReference reference, Set<String> to) {
    boolean qualified = tokens.isPunctuation(token - 1, '.');
    if (tokens.isName(token) && (!qualified || reference.isNamed(tokens.name(token - 2)))) {
      to.add(tokens.lowerName(token));
    }
  }
}
