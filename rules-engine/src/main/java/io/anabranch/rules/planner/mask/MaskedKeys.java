package io.anabranch.rules.planner.mask;

import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Errors of unique keys tell all values that a row would have had. A change of a row that is there
 * must not move it in a key with a masked column whose value the statement does not give itself:
 * {@code UPDATE t SET tenant = 2} with a key over {@code (tenant, phone)}.
 */
final class MaskedKeys {

  private final TableDefinition table;

  /** Masked columns, and those that a server computes from them; in lower case. */
  private final Set<String> hidden;

  /**
   * @param masked the table's masked columns, in lower case
   */
  MaskedKeys(TableDefinition table, Set<String> masked) {
    this.table = table;
    this.hidden = new HashSet<>(masked);
    while (table.columns().stream().anyMatch(this::hides)) {
      table.columns().stream().filter(this::hides).forEach(each -> hidden.add(lower(each.name())));
    }
  }

  /** Whether a column that is not known to be hidden is computed from one that is. */
  private boolean hides(TableDefinition.Item column) {
    return !hidden.contains(lower(column.name()))
        && isGenerated(column)
        && mentionsHidden(column.text());
  }

  private boolean mentionsHidden(String text) {
    SqlTokens tokens = SqlTokens.of(text);
    return hidden.stream().anyMatch(tokens::mention);
  }

  private static boolean isGenerated(TableDefinition.Item column) {
    return column.text().contains(" AS (");
  }

  /**
   * @param assigned as {@link #assigned} finds them
   * @throws io.anabranch.rules.error.RefusedException if an error might tell a masked value
   */
  void check(Set<String> assigned) {
    for (TableKey key : table.keys()) {
      if (key.unique() && mayTell(key, assigned)) {
        throw MaskedQuery.refusal(
            "a change of a row in " + key.called() + ", which has a masked column,");
      }
    }
  }

  private boolean mayTell(TableKey key, Set<String> assigned) {
    boolean isMoved = false;
    boolean isUnknown = false;
    for (TableKey.Part part : key.parts()) {
      String column = part.column();
      boolean isGiven = column != null && assigned.contains(lower(column));
      isMoved |= isGiven || column == null || isChanged(column);
      isUnknown |= !isGiven && mentionsHidden(part.expression());
    }
    return isMoved && isUnknown;
  }

  /** Whether a server gives the column a value of its own. */
  private boolean isChanged(String name) {
    TableDefinition.Item column = table.column(name);
    return column == null || isGenerated(column) || column.text().contains(" ON UPDATE ");
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Columns of rows that are there already and that the statement changes, in lower case. */
  static Set<String> assigned(SqlTokens tokens, StatementKind kind) {
    int first =
        switch (kind) {
          case UPDATE -> 0;
          case INSERT -> tokens.all().findWord("DUPLICATE");
          default -> -1;
        };
    if (first < 0) {
      return Set.of();
    }
    int where =
        tokens.all().skip(token -> tokens.depth(token) > 0 || !tokens.isWord(token, "WHERE"));
    return tokens
        .between(first, where)
        .where(
            token ->
                tokens.depth(token) == 0
                    && tokens.isName(token)
                    && (tokens.isOperator(token + 1, "=") || tokens.isOperator(token + 1, ":=")))
        .stream()
        .map(tokens::lowerName)
        .collect(Collectors.toSet());
  }
}
