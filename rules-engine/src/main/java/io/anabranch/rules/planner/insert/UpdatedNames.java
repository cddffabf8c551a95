package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.table.PlacedTable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns that ON DUPLICATE KEY UPDATE of an INSERT … SELECT names: a server knows those of the
 * table that is written and, where the query neither groups nor aggregates, those of the query's
 * tables, too. Rows that are read first have left those behind.
 *
 * @param own lower-case columns of the table that is written
 * @param isMariaDb MySQL hides the tables of a UNION; MariaDB those behind the first one
 */
record UpdatedNames(SqlTokens tokens, InsertSyntax syntax, Set<String> own, boolean isMariaDb) {

  private static final Set<String> UNITS =
      Set.of("microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year");

  /**
   * @throws io.anabranch.rules.error.RefusedException if a name is a column of the query's tables,
   *     alone or as well
   */
  void refuse(Analysis query) {
    SelectFacts select = query.facts().select();
    boolean hides = select == null ? !isMariaDb : select.isGrouped();
    if (syntax.updates().isEmpty() || hides) {
      return;
    }
    List<PlacedTable> tables = query.tablesOf(0);
    var theirs = new HashSet<String>();
    tables.forEach(table -> theirs.addAll(table.columns().keySet()));
    boolean readsItself = tables.stream().anyMatch(table -> isWritten(table.ref().alias()));
    for (InsertSyntax.Assignment update : syntax.updates()) {
      TokenRange value = tokens.in(update.value());
      int interval = value.findWord("INTERVAL");
      for (int name : value.names(this::mayBeColumn)) {
        boolean isUnit = interval >= 0 && interval < name && UNITS.contains(lower(name));
        if (tokens.isPunctuation(name + 1, '.')) {
          if (readsItself && isWritten(tokens.name(name))) {
            throw ambiguous(tokens.name(name) + "." + tokens.name(name + 2));
          }
        } else if (!isUnit) {
          refuseTheirs(name, theirs);
        }
      }
    }
  }

  /** It, or what qualifies it. */
  private boolean mayBeColumn(int name) {
    return !tokens.isPunctuation(name + 1, '(')
        && !tokens.isPunctuation(name - 1, '.')
        && !isGiven(name);
  }

  private void refuseTheirs(int token, Set<String> theirs) {
    if (!theirs.contains(lower(token))) {
      return;
    }
    if (own.contains(lower(token))) {
      throw ambiguous(tokens.name(token));
    }
    throw ErrorCatalogue.NOT_EXACT.refuse(
        "'" + tokens.text(token) + "' in ON DUPLICATE KEY UPDATE of an INSERT … SELECT",
        "use VALUES(column)");
  }

  /** The column of VALUES(column), or a type. */
  private boolean isGiven(int token) {
    boolean isValue = tokens.isWord(token - 2, "VALUES") || tokens.isWord(token - 2, "VALUE");
    return tokens.isWord(token - 1, "AS") || (isValue && tokens.isPunctuation(token - 1, '('));
  }

  private boolean isWritten(String table) {
    return table.equalsIgnoreCase(syntax.table().name());
  }

  private String lower(int token) {
    return tokens.lowerName(token);
  }

  private RuntimeException ambiguous(String column) {
    return ErrorCatalogue.AMBIGUOUS_COLUMN.refuse(column, isMariaDb ? "UPDATE" : "field list");
  }
}
