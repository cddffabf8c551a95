package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.planner.encrypt.stored.StoredForm;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.Conjunction;
import io.anabranch.rules.syntax.query.PlainList;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Names of encrypted columns outside of select lists. A closed list of places: comparisons for
 * equality with a value, a list of values, another encrypted column; LIKE; IS NULL; COUNT; GROUP
 * BY.
 */
final class Expressions {

  /** Whatever stands in front of a condition as a whole. */
  private static final Set<String> BEFORE =
      Set.of(
          "WHERE",
          "AND",
          "OR",
          "XOR",
          "NOT",
          "ON",
          "HAVING",
          "WHEN",
          "SELECT",
          "DISTINCT",
          "ALL",
          "BY");

  /** What stands behind one besides the next clause. */
  private static final Set<String> BEHIND =
      Set.of("AND", "OR", "XOR", "AS", "THEN", "FROM", "WITH");

  private static final Set<String> EQUALS = Set.of("=", "<=>", "<>", "!=");

  private final StoredText text;
  private final SqlTokens tokens;
  private final QueryText queries;
  private final boolean bindsNotTightly;

  /**
   * @param bindsNotTightly whether NOT is read in front of a comparison's operands
   */
  Expressions(StoredText text, QueryText queries, boolean bindsNotTightly) {
    this.text = text;
    this.tokens = text.tokens();
    this.queries = queries;
    this.bindsNotTightly = bindsNotTightly;
  }

  /**
   * Writes whatever stands in {@code [from, to)} and is not understood yet.
   *
   * @param watched names in lower case that may be those of encrypted columns
   */
  void write(int from, int to, Set<String> watched) {
    for (int token :
        tokens
            .between(from, to)
            .where(each -> tokens.isWord(each, "SELECT") || isWatched(each, watched))) {
      Scope begun = tokens.isWord(token, "SELECT") ? queries.scopes().at(token) : null;
      if (begun != null) {
        queries.write(begun);
      }
      boolean isOther =
          tokens.isPunctuation(token + 1, '.')
              || (tokens.kind(token) == TokenKind.WORD
                  && tokens.isPunctuation(token + 1, '(')
                  && !tokens.isPunctuation(token - 1, '.'));
      if (isWatched(token, watched) && !text.isUnderstood(token) && !isOther) {
        name(token);
      }
    }
  }

  private boolean isWatched(int token, Set<String> watched) {
    return tokens.isName(token) && watched.contains(tokens.lowerName(token));
  }

  /** Refuses what is not understood yet. */
  void refuse(int from, int to, Set<String> watched, String what) {
    int found =
        tokens
            .between(from, to)
            .find(token -> isWatched(token, watched) && !text.isUnderstood(token));
    if (found >= 0) {
      throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
          what, tokens.name(found), "name the column by itself");
    }
  }

  private void name(int token) {
    int first = tokens.firstOfName(token);
    if (tokens.isWord(first - 1, "AS")) {
      throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
          "an alias of that name for something else", tokens.name(token), "call it otherwise");
    }
    NamedColumn named = queries.names().named(first, token);
    if (named == null) {
      return;
    }
    boolean isUnderstood =
        nullness(named, first, token)
            || comparison(named, first, token)
            || reversed(named, first, token)
            || list(named, first, token)
            || pattern(named, first, token)
            || count(named, first, token)
            || group(named, first, token);
    if (!isUnderstood) {
      throw refused("this use ('" + around(first, token) + "')", named, wayOut());
    }
  }

  /** Values are not repeated in messages. */
  private String around(int first, int token) {
    return IntStream.rangeClosed(Math.max(0, first - 2), Math.min(tokens.size() - 1, token + 2))
        .mapToObj(at -> tokens.slot(at) >= 0 ? "?" : tokens.text(at))
        .collect(Collectors.joining(" "));
  }

  private static String wayOut() {
    return "select it, or compare it by =, <>, IN, IS NULL or LIKE with plain strings";
  }

  private static RefusedException refused(String what, NamedColumn named, String wayOut) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(what, named.column().name(), wayOut);
  }

  // ---------------------------------------------------------------- around a condition

  private boolean begins(int first) {
    int before = first - 1;
    if (tokens.isPunctuation(before, '(') || tokens.isPunctuation(before, ',')) {
      return true;
    }
    if (tokens.isOperator(before, "&&")) {
      return true;
    }
    String word = tokens.word(before);
    if (!BEFORE.contains(word) || (word.equals("NOT") && bindsNotTightly)) {
      return false;
    }
    return !(word.equals("AND") && Conjunction.isOfBetween(tokens, before));
  }

  private boolean ends(int behind) {
    if (behind >= tokens.size()
        || tokens.isPunctuation(behind, ')')
        || tokens.isPunctuation(behind, ',')
        || tokens.isPunctuation(behind, ';')
        || tokens.isOperator(behind, "&&")) {
      return true;
    }
    return BEHIND.contains(tokens.word(behind)) || ClauseEnds.endsTable(tokens, behind);
  }

  private boolean isValue(int token) {
    return tokens.slot(token) >= 0 || tokens.isWord(token, "NULL");
  }

  private boolean isEquality(int token) {
    return tokens.kind(token) == TokenKind.OPERATOR && EQUALS.contains(tokens.text(token));
  }

  private void column(NamedColumn named, int first, int token, Stored stored) {
    if (named.isStored()) {
      text.replace(token, token + 1, TableNames.quoted(stored.name()));
    }
    text.understand(first, token + 1);
  }

  private void value(NamedColumn named, int token, Stored stored) {
    if (tokens.slot(token) >= 0) {
      text.replace(
          token,
          token + 1,
          List.of(
              text.value(tokens.slot(token), named.column(), stored, StoredForm.Purpose.COMPARED)));
    }
  }

  private Stored equality(NamedColumn named, int token) {
    List<Stored> comparable = named.comparable();
    if (comparable.isEmpty()) {
      throw refused(
          "a comparison", named, "its ciphertext differs for equal values: add an assistedQuery");
    }
    Scope scope = queries.scopes().around(token);
    SelectSpans select = scope == null ? null : scope.select;
    // groups are made by the ciphertext: the other is not known behind them
    boolean isFiltered = select != null && queries.places().isFiltered(select, token);
    return isFiltered ? comparable.getLast() : comparable.getFirst();
  }

  // ---------------------------------------------------------------- conditions

  private boolean nullness(NamedColumn named, int first, int token) {
    int at = token + 1;
    if (!tokens.isWord(at, "IS")) {
      return false;
    }
    at += tokens.isWord(at + 1, "NOT") ? 2 : 1;
    if (!tokens.isWord(at, "NULL") || !begins(first) || !ends(at + 1)) {
      return false;
    }
    column(named, first, token, named.column().cipher());
    return true;
  }

  private boolean comparison(NamedColumn named, int first, int token) {
    if (!isEquality(token + 1) || !begins(first)) {
      return false;
    }
    int right = token + 2;
    if (isValue(right) && ends(right + 1)) {
      Stored stored = equality(named, token);
      column(named, first, token, stored);
      value(named, right, stored);
      return true;
    }
    int last = tokens.lastOfName(right);
    if (!tokens.isName(last) || !ends(last + 1) || tokens.isPunctuation(last + 1, '(')) {
      return false;
    }
    NamedColumn other = queries.names().named(right, last);
    if (other == null) {
      throw refused(
          "a comparison with '" + tokens.name(last) + "', which is not encrypted,",
          named,
          "compare it with a value");
    }
    Stored[] pair = NamedColumn.pair(named, other);
    column(named, first, token, pair[0]);
    column(other, right, last, pair[1]);
    return true;
  }

  private boolean reversed(NamedColumn named, int first, int token) {
    int value = first - 2;
    if (!isEquality(first - 1) || !isValue(value) || !begins(value) || !ends(token + 1)) {
      return false;
    }
    Stored stored = equality(named, token);
    column(named, first, token, stored);
    value(named, value, stored);
    return true;
  }

  private boolean list(NamedColumn named, int first, int token) {
    int in = tokens.isWord(token + 1, "NOT") ? token + 2 : token + 1;
    int open = in + 1;
    if (!tokens.isWord(in, "IN") || !tokens.isPunctuation(open, '(') || !begins(first)) {
      return false;
    }
    int close = tokens.closing(open);
    if (!ends(close + 1)) {
      return false;
    }
    if (tokens.isWord(open + 1, "SELECT")) {
      return query(named, first, token, open);
    }
    TokenRange values = tokens.between(open + 1, close);
    if (!PlainList.is(values, this::isValue)) {
      return false;
    }
    Stored stored = equality(named, token);
    column(named, first, token, stored);
    values.where(this::isValue).forEach(at -> value(named, at, stored));
    return true;
  }

  /** The query's own column is written when its SELECT is. */
  private boolean query(NamedColumn named, int first, int token, int open) {
    Stored[] pair = null;
    for (Scope leg : queries.legs().legs(open)) {
      NamedColumn other = queries.only(leg);
      if (other == null) {
        throw refused(
            "IN of a query whose column is not encrypted",
            named,
            "select one column with the same encryptor");
      }
      Stored[] of = NamedColumn.pair(named, other);
      if (pair != null && !pair[0].equals(of[0])) {
        return false;
      }
      pair = of;
    }
    if (pair == null) {
      return false;
    }
    column(named, first, token, pair[0]);
    queries.places().compare(open, named);
    return true;
  }

  private boolean pattern(NamedColumn named, int first, int token) {
    int like = tokens.isWord(token + 1, "NOT") ? token + 2 : token + 1;
    if (!tokens.isWord(like, "LIKE") || !begins(first) || !ends(like + 2)) {
      return false;
    }
    EncryptedColumn column = named.column();
    Stored stored = column.like();
    if (stored == null || !named.isStored()) {
      throw refused("LIKE", named, "add a likeQuery column to its rule");
    }
    if (!isValue(like + 1)) {
      return false;
    }
    column(named, first, token, stored);
    if (tokens.slot(like + 1) >= 0) {
      List<Piece> pattern =
          List.of(
              text.value(tokens.slot(like + 1), column, stored, StoredForm.Purpose.PATTERN),
              text.text(StoredForm.ESCAPE_CLAUSE));
      text.replace(like + 1, like + 2, pattern);
    }
    return true;
  }

  // ---------------------------------------------------------------- aggregates

  private boolean count(NamedColumn named, int first, int token) {
    boolean isDistinct = tokens.isWord(first - 1, "DISTINCT");
    int open = isDistinct ? first - 2 : first - 1;
    if (!tokens.isPunctuation(open, '(')
        || !tokens.isWord(open - 1, "COUNT")
        || !tokens.isPunctuation(token + 1, ')')) {
      return false;
    }
    column(named, first, token, isDistinct ? equality(named, token) : named.column().cipher());
    return true;
  }

  private boolean group(NamedColumn named, int first, int token) {
    Scope scope = queries.scopes().around(token);
    SelectSpans select = scope == null ? null : scope.select;
    if (select == null
        || tokens.depth(token) != tokens.depth(select.select())
        || !queries.places().isGrouped(select, token)) {
      return false;
    }
    boolean begins =
        tokens.isPunctuation(first - 1, ',')
            || (tokens.isWord(first - 1, "BY") && tokens.isWord(first - 2, "GROUP"));
    if (!begins || !ends(token + 1)) {
      return false;
    }
    if (!named.column().cipher().encryptor().isDeterministic()) {
      throw refused(
          "GROUP BY",
          named,
          "its ciphertext differs for equal values: use a deterministic encryptor");
    }
    column(named, first, token, named.column().cipher());
    return true;
  }
}
