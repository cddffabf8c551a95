package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.planner.encrypt.stored.StoredForm;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** UPDATE and DELETE: their tables, and what is assigned. */
final class ChangeText {

  private final StoredText text;
  private final SqlTokens tokens;
  private final QueryText queries;

  /** The word SET of an UPDATE. */
  private int set;

  ChangeText(StoredText text, QueryText queries) {
    this.text = text;
    this.tokens = text.tokens();
    this.queries = queries;
  }

  /** The first of these words outside of parentheses; the number of tokens: there is none. */
  private int find(int from, String... words) {
    int found = tokens.from(from).findClause(0, words);
    return found < 0 ? tokens.size() : found;
  }

  private int behindModifiers() {
    return tokens.from(tokens.behindVerb()).skipWords("LOW_PRIORITY", "IGNORE", "QUICK");
  }

  // ---------------------------------------------------------------- DELETE

  void readDelete() {
    int at = behindModifiers();
    int from = find(at, "FROM");
    int behind = find(from + 1, "WHERE", "ORDER", "LIMIT", "RETURNING", "USING");
    int first = from + 1;
    if (tokens.isWord(behind, "USING") && !tokens.isPunctuation(behind + 1, '(')) {
      targets(first, behind);
      first = behind + 1;
      behind = find(first, "WHERE", "ORDER", "LIMIT", "RETURNING");
    } else {
      behind = find(from + 1, "WHERE", "ORDER", "LIMIT", "RETURNING");
      targets(at, from);
    }
    queries.scopes().tables(queries.scopes().statement(), first, behind);
  }

  /** The tables that rows are deleted from: they are named again in the list of tables. */
  private void targets(int from, int to) {
    int other = tokens.between(from, to).find(token -> !isOfTarget(token));
    if (other >= 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + tokens.text(other) + "' among the tables of a DELETE with encrypted columns",
          "name the tables plainly");
    }
    text.understand(from, to);
  }

  private boolean isOfTarget(int token) {
    return tokens.isName(token)
        || tokens.isPunctuation(token, '.')
        || tokens.isPunctuation(token, ',')
        || tokens.isOperator(token, "*");
  }

  // ---------------------------------------------------------------- UPDATE

  void readUpdate() {
    int at = behindModifiers();
    set = find(at, "SET");
    queries.scopes().tables(queries.scopes().statement(), at, set);
  }

  /** Writes the assignments of UPDATE. */
  void assignments(Set<String> watched) {
    int end = find(set + 1, "WHERE", "ORDER", "LIMIT", "RETURNING");
    for (Span part : tokens.between(set + 1, end).parts()) {
      assignment(part.first(), part.behind(), watched);
    }
  }

  private void assignment(int first, int behind, Set<String> watched) {
    int name = tokens.lastOfName(first);
    if (!tokens.isName(name)
        || !watched.contains(tokens.lowerName(name))
        || !(tokens.isOperator(name + 1, "=") || tokens.isOperator(name + 1, ":="))) {
      return;
    }
    NamedColumn named = queries.names().named(first, name);
    if (named == null) {
      return;
    }
    if (!named.isStored()) {
      throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
          "an assignment through a derived table", named.column().name(), "name its table");
    }
    assign(named.column(), first, name, behind);
  }

  /**
   * Writes {@code column = value} for each stored column.
   *
   * @param first of the qualifier, or the name
   * @param behind the comma, or what follows the last one
   */
  void assign(EncryptedColumn column, int first, int name, int behind) {
    String qualifier = String.join("", tokens.between(first, name).texts());
    var pieces = new ArrayList<Piece>();
    for (Stored stored : written(column)) {
      String separator = pieces.isEmpty() ? "" : ", ";
      pieces.add(text.text(separator + qualifier + TableNames.quoted(stored.name()) + " = "));
      pieces.add(value(name + 2, behind, column, stored));
    }
    text.replace(first, behind, pieces);
  }

  /** A value that is one token, or a number below zero, for a stored column. */
  Piece value(int from, int behind, EncryptedColumn column, Stored stored) {
    if (behind == from + 1 && tokens.slot(from) >= 0) {
      return text.value(tokens.slot(from), column, stored, StoredForm.Purpose.STORED);
    }
    if (behind == from + 2
        && tokens.isOperator(from, "-")
        && tokens.kind(from + 1) == TokenKind.NUMBER) {
      return text.value(tokens.slot(from + 1), column, stored, StoredForm.Purpose.NEGATED);
    }
    boolean isCopied =
        behind == from + 1 && (tokens.isWord(from, "NULL") || tokens.isWord(from, "DEFAULT"));
    boolean isInserted =
        behind == from + 4
            && tokens.isWord(from, "VALUES")
            && tokens.isPunctuation(from + 1, '(')
            && tokens.name(from + 2).equalsIgnoreCase(column.name())
            && tokens.isPunctuation(from + 3, ')');
    if (isCopied) {
      return text.text(tokens.text(from));
    }
    if (isInserted) {
      return text.text("VALUES(" + TableNames.quoted(stored.name()) + ")");
    }
    throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        "an expression as its new value",
        column.name(),
        "compute it first, and give a plain string");
  }

  /** The names of what is written for a value, quoted. */
  static List<String> names(EncryptedColumn column) {
    return written(column).stream().map(stored -> TableNames.quoted(stored.name())).toList();
  }

  /**
   * What is written for a value.
   *
   * @throws io.anabranch.rules.error.RefusedException if that were not all that is stored for it
   */
  static List<Stored> written(EncryptedColumn column) {
    if (!column.isWhole()) {
      throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
          "a change through a view that has not all that is stored",
          column.name(),
          "change its table, or make the view anew through the proxy");
    }
    return column.stored();
  }
}
