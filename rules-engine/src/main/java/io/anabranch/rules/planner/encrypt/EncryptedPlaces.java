package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.planner.encrypt.Source.Output;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a query's column may be encrypted: not where its ciphertext would decide what the answer
 * is, as with {@code ORDER BY phone} or {@code DISTINCT} over a random encryptor.
 */
final class EncryptedPlaces {

  private final SqlTokens tokens;
  private final Scopes scopes;
  private final QueryLegs legs;
  private final QueryOutputs outputs;

  /** Queries whose one column is compared with an encrypted one, by their parentheses. */
  private final Map<Integer, NamedColumn> compared = new HashMap<>();

  /** The words that begin clauses behind WHERE, by their SELECTs. */
  private final Map<Integer, List<Integer>> clauses = new HashMap<>();

  EncryptedPlaces(SqlTokens tokens, Scopes scopes, QueryLegs legs, QueryOutputs outputs) {
    this.tokens = tokens;
    this.scopes = scopes;
    this.legs = legs;
    this.outputs = outputs;
  }

  /** With what a query's column is compared; null: with nothing that is encrypted. */
  @Nullable NamedColumn compared(int open) {
    return compared.get(open);
  }

  /** The query's column is compared with this one. */
  void compare(int open, NamedColumn with) {
    compared.put(open, with);
  }

  /** Refuses an encrypted column where its ciphertext would decide the answer. */
  void require(Scope scope, SelectSpans select, int open, Output encrypted) {
    EncryptedColumn column = encrypted.column();
    boolean isKnown =
        open == QueryLegs.TOP
            || scopes.isDerived(open)
            || outputs.isScalar(open)
            || compared.containsKey(open);
    if (!isKnown) {
      throw refused(
          "a subquery in this place that selects it",
          column,
          "use EXISTS, or compare it with another encrypted column");
    }
    boolean isHidden =
        outputs.outputs(scope).stream()
            .anyMatch(each -> each.column() != null && each.name() == null);
    if (isHidden) {
      throw refused("a select item without a plain name", column, "give it an alias");
    }
    boolean isCombined = legs.legs(open).size() > 1;
    boolean distinct = isDistinct(select) || (isCombined && !legs.isUnionAll(open));
    for (Output output : outputs.outputs(scope)) {
      EncryptedColumn of = output.column();
      if (distinct && of != null && !of.cipher().encryptor().isDeterministic()) {
        throw refused(
            "DISTINCT or UNION",
            of,
            "its ciphertext differs for equal values: use UNION ALL, or a deterministic encryptor");
      }
    }
    int found =
        tokens
            .between(select.select(), select.behind())
            .find(
                token ->
                    tokens.depth(token) == tokens.depth(select.select())
                        && (tokens.isWord(token, "INTO")
                            || tokens.isWord(token, "PROCEDURE")
                            || tokens.isWord(token, "SQL_CALC_FOUND_ROWS")));
    if (found >= 0) {
      throw refused(tokens.text(found), column, "read it with a plain SELECT");
    }
    requireOrder(scope, select, open, isCombined, column);
  }

  /** The modifiers of a SELECT stand in any order, with hints among them. */
  private boolean isDistinct(SelectSpans select) {
    int first = select.select() + 1;
    return tokens
        .between(first, SelectLayout.behindModifiers(tokens, first))
        .hasWord("DISTINCT", "DISTINCTROW");
  }

  /** Sorting, grouping and filtering by a position or an alias of a column that is encrypted. */
  private void requireOrder(
      Scope scope,
      SelectSpans select,
      int open,
      boolean isCombined,
      @Nullable EncryptedColumn column) {
    var aliases = new HashMap<String, EncryptedColumn>();
    for (Output output : outputs.outputs(scope)) {
      if (output.column() != null && output.name() != null) {
        aliases.put(output.name().toLowerCase(Locale.ROOT), output.column());
      }
    }
    int refused =
        sorting(select)
            .find(
                token ->
                    (isCombined && isOrder(select, token))
                        || isPosition(select, token)
                        || isSorted(select, token, aliases));
    if (isCombined && isOrder(select, refused)) {
      throw refused("ORDER BY of a UNION", column, "sort where the values are read");
    }
    if (refused >= 0 && isPosition(select, refused)) {
      throw refused(
          "ORDER BY or GROUP BY of a position", column, "name the columns that are not encrypted");
    }
    if (refused >= 0) {
      throw refused(
          "ORDER BY or HAVING",
          aliases.get(tokens.lowerName(refused)),
          "sort where the values are read");
    }
    int depth = tokens.depth(select.select());
    int around = open == QueryLegs.TOP ? 0 : tokens.depth(open) + 1;
    if ((isCombined || depth > around) && legs.isSorted(open, depth)) {
      throw refused("ORDER BY around a query", column, "sort where the values are read");
    }
  }

  /** Whether a token is in GROUP BY: what it means there is asked for by its name. */
  boolean isGrouped(SelectSpans select, int token) {
    return tokens.isWord(clause(select, token), "GROUP");
  }

  /** Whether a token is in HAVING, where servers know what is grouped by. */
  boolean isFiltered(SelectSpans select, int token) {
    return tokens.isWord(clause(select, token), "HAVING");
  }

  /** The word that begins the clause that a token is in, behind WHERE; -1: it is in front. */
  private int clause(SelectSpans select, int token) {
    List<Integer> words = clauses.computeIfAbsent(select.select(), _ -> clauses(select));
    int found = -1;
    for (int word : words) {
      found = word <= token ? word : found;
    }
    return found;
  }

  private List<Integer> clauses(SelectSpans select) {
    return tokens
        .between(select.select() + 1, select.behind())
        .where(
            at ->
                tokens.depth(at) == tokens.depth(select.select())
                    && (isBy(at, "GROUP") || tokens.isAnyWord(at, "HAVING", "ORDER", "LIMIT")));
  }

  private boolean isBy(int token, String word) {
    return tokens.isWord(token, word) && tokens.isWord(token + 1, "BY");
  }

  /** The clauses of a SELECT that group, filter groups and sort. */
  private TokenRange sorting(SelectSpans select) {
    int first =
        tokens
            .between(select.select(), select.behind())
            .skip(token -> !(isOwn(select, token) && begins(token)));
    int behind =
        tokens
            .between(first, select.behind())
            .skip(token -> !(isOwn(select, token) && tokens.isWord(token, "LIMIT")));
    return tokens.between(first, behind);
  }

  private boolean begins(int token) {
    return isBy(token, "ORDER") || tokens.isAnyWord(token, "GROUP", "HAVING");
  }

  private boolean isOwn(SelectSpans select, int token) {
    return tokens.depth(token) == tokens.depth(select.select())
        && !tokens.isPunctuation(token - 1, '.');
  }

  private boolean isOrder(SelectSpans select, int token) {
    return isBy(token, "ORDER") && isOwn(select, token);
  }

  private boolean isPosition(SelectSpans select, int token) {
    int before = tokens.beforePosition(token);
    return before >= select.select() && isOwn(select, before);
  }

  /** Whether the token is an alias that decides more than to which group a row belongs. */
  private boolean isSorted(SelectSpans select, int token, Map<String, EncryptedColumn> aliases) {
    EncryptedColumn aliased = tokens.isName(token) ? aliases.get(tokens.lowerName(token)) : null;
    return aliased != null
        && !tokens.isPunctuation(token + 1, '.')
        && !tokens.isPunctuation(token - 1, '.')
        && !(isOwn(select, token)
            && isGrouped(select, token)
            && aliased.cipher().encryptor().isDeterministic());
  }

  /** {@link ErrorCatalogue#ENCRYPTED_COLUMN} of a column that may be none. */
  static RefusedException refused(String what, @Nullable EncryptedColumn column, String wayOut) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        what, column == null ? "" : column.name(), wayOut);
  }
}
