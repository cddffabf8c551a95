package io.anabranch.rules.planner.change;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.placement.RowCondition;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.planner.query.HexadecimalLiterals;
import io.anabranch.rules.planner.query.RowSource;
import io.anabranch.rules.planner.query.StoredDigits;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.resolve.ReadViews;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.ChangeSyntax.Assignment;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plans the form of an UPDATE or DELETE that first finds the keys of its rows, ordered and locked,
 * by a query over all shards, and then changes the rows by their keys. Used once.
 */
final class KeyedWrite {

  private static final int MOST_KEYS = 500;
  private static final int[] NOTHING = {};
  private static final byte[] NOTHING_BETWEEN = {};

  private final Analysis analysis;
  private final SourceText source;
  private final SqlTokens tokens;
  private final ChangeSyntax syntax;
  private final ShardedNames names;
  private final List<ChangedTable> changed;

  KeyedWrite(Analysis analysis, ChangeSyntax syntax, ShardedNames names) {
    this.analysis = analysis;
    this.source = analysis.source();
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.names = names;
    this.changed = new ChangedTables(analysis, syntax).list();
  }

  /**
   * @param statements plans the query that finds the rows
   * @throws io.anabranch.rules.error.RefusedException if there is no such form
   */
  KeyedPlan plan(KindPlanner statements) {
    boolean everywhere = changed.stream().anyMatch(ChangedTable::isBroadcast);
    if (everywhere && changed.size() > 1) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a change of a broadcast table together with others", "change one table per statement");
    }
    boolean updates = tokens.isWord(0, "UPDATE");
    if (updates && changed.size() > 1) {
      requireIndependent();
    }
    var query = new Substatement.Builder(analysis.task(), source).text("SELECT ");
    var targets = new ArrayList<KeyedPlan.Target>();
    int width = 0;
    for (ChangedTable table : changed) {
      List<String> columns = table.columnsToFindRows();
      for (String column : columns) {
        query.text(width++ == 0 ? "" : ", ").text(qualified(table, column));
      }
      int first = width - columns.size();
      if (!updates) {
        targets.add(delete(table, columns, first));
      } else if (setsByRow(table)) {
        for (Assignment assignment : table.assignments()) {
          set(table, assignment, query.text(", "));
        }
        targets.add(updateByRow(table, columns, first, width));
        width += table.assignments().size();
      } else {
        targets.add(update(table, columns, first));
      }
    }
    query
        .text(" FROM ")
        .tokens(syntax.tables().first(), syntax.tables().behind())
        .text(" ")
        .tokens(syntax.where(), syntax.end())
        .text(" FOR UPDATE");
    return new KeyedPlan(
        RowSource.of(query.build(), statements),
        targets,
        names,
        everywhere ? PlanNode.Summing.FIRST : PlanNode.Summing.SUM,
        updates ? PlanNode.Verb.UPDATE : PlanNode.Verb.DELETE,
        refusesWarnings(updates));
  }

  /**
   * The query gives the values before all changes; a server may have changed one table when it
   * computes those of another.
   */
  private void requireIndependent() {
    for (ChangedTable one : changed) {
      Set<String> changes =
          one.assignments().stream()
              .map(set -> set.column().toLowerCase(Locale.ROOT))
              .collect(Collectors.toSet());
      for (ChangedTable other : changed) {
        boolean isSame = one.nodes().equals(other.nodes());
        if (!one.equals(other)
            && (isSame
                || other.assignments().stream()
                    .anyMatch(set -> reads(one.alias(), changes, set)))) {
          throw ErrorCatalogue.NOT_EXACT.refuse(
              "an UPDATE that sets columns of several tables "
                  + (isSame ? "which are the same" : "by values that it changes"),
              "set those of one table per statement");
        }
      }
    }
  }

  /** Whether what an assignment sets may be computed from a column that another table gets. */
  private boolean reads(String alias, Set<String> columns, Assignment assignment) {
    return tokens.in(assignment.value()).hasName(token -> isOneOf(alias, columns, token));
  }

  private boolean isOneOf(String alias, Set<String> columns, int token) {
    return columns.contains(tokens.lowerName(token))
        && (!tokens.isPunctuation(token - 1, '.')
            || tokens.name(token - 2).equalsIgnoreCase(alias));
  }

  /**
   * MariaDB warns where it deletes, and where it sorts the rows of an UPDATE first; MySQL refuses.
   */
  private boolean refusesWarnings(boolean updates) {
    if (syntax.ignores() || !analysis.task().scope().isStrict()) {
      return false;
    }
    boolean onMariaDb = changed.stream().allMatch(this::isOnMariaDb);
    return !onMariaDb || (updates && !syntax.isLimited());
  }

  private boolean isOnMariaDb(ChangedTable table) {
    return analysis.task().catalog().isMariaDb(table.nodes().getFirst().dataSource());
  }

  private static String qualified(ChangedTable table, String column) {
    return TableNames.quoted(table.alias()) + "." + TableNames.quoted(column);
  }

  /** Adds what a column is set to, with all digits that are stored. */
  private void set(ChangedTable table, Assignment assignment, Substatement.Builder query) {
    Span value = assignment.value();
    Quotients quotients =
        Quotients.of(
            tokens, List.of(syntax.tables()), false, new ReadViews(analysis).divide(false));
    Optional<SchemaCatalog.Column> column = column(table, assignment);
    column.ifPresent(known -> HexadecimalLiterals.refuse(tokens, value, known));
    if (quotients.mentionsOne(value)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a column with '/' or AVG of a derived table in SET", "give it digits by CAST there");
    }
    if (column.isPresent() && quotients.divides(value)) {
      StoredDigits.of(column.get()).append(query, value.first(), value.behind(), false);
    } else {
      query.tokens(value.first(), value.behind());
    }
  }

  private static Optional<SchemaCatalog.Column> column(ChangedTable table, Assignment assignment) {
    return table.schema().columns().stream()
        .filter(one -> one.name().equalsIgnoreCase(assignment.column()))
        .findFirst();
  }

  /** Whether what is set takes more than the row itself to compute. */
  private boolean setsByRow(ChangedTable table) {
    boolean several =
        analysis.tablesOf(0).size() > 1
            || analysis.facts().blocks().getFirst().hasDerivedTables()
            || (chained(table) != null && takesOldValues(table));
    for (Assignment assignment : table.assignments()) {
      several |= tokens.in(assignment.value()).hasWord("SELECT");
    }
    return several;
  }

  private KeyedPlan.Target delete(ChangedTable table, List<String> columns, int first) {
    String verb = syntax.ignores() ? "DELETE IGNORE FROM " : "DELETE FROM ";
    var heads = new ArrayList<List<Piece>>();
    table
        .nodes()
        .forEach(node -> heads.add(List.of(text(verb + TableNames.quotedIfNeeded(node.table())))));
    List<Piece> returning = analysis.edits().copyTokens(syntax.end(), tokens.size());
    return byKeys(table, columns, first, heads, returning);
  }

  private KeyedPlan.Target update(ChangedTable table, List<String> columns, int first) {
    List<Piece> head = analysis.edits().copyTokens(0, syntax.where());
    List<Piece> order =
        syntax.isOrdered()
            ? analysis.edits().copyTokens(syntax.order(), syntax.limit())
            : List.of();
    List<List<Piece>> heads = table.nodes().stream().map(node -> head).toList();
    return byKeys(table, columns, first, heads, order);
  }

  private KeyedPlan.Target byKeys(
      ChangedTable table,
      List<String> columns,
      int first,
      List<List<Piece>> heads,
      List<Piece> behind) {
    List<String> key = table.keyColumns();
    boolean alone = table.isFoundByOne();
    String where = alone ? " WHERE " + TableNames.quoted(key.getFirst()) + " IN (" : " WHERE (";
    var around = new ArrayList<KeyedPlan.Text>();
    for (List<Piece> head : heads) {
      var front = new ArrayList<>(head);
      front.add(text(where));
      var tail = new ArrayList<Piece>(List.of(text(behind.isEmpty() ? ")" : ") ")));
      tail.addAll(behind);
      around.add(new KeyedPlan.Text(front, tail));
    }
    RowCondition condition = table.condition("(", columns, first);
    return new KeyedPlan.Target(
        table,
        around,
        new RowTarget(
            List.of(),
            alone ? List.of(ascii(""), ascii("")) : condition.pieces(")", source::encode),
            alone ? positions(first, 1) : condition.positions(),
            ascii(alone ? ", " : " OR "),
            MOST_KEYS,
            table.placer(columns, first),
            null,
            NOTHING));
  }

  /** One statement a row: what it sets has been computed by the query. */
  private KeyedPlan.Target updateByRow(
      ChangedTable table, List<String> columns, int first, int values) {
    refuseChains(table);
    String verb = syntax.ignores() ? "UPDATE IGNORE " : "UPDATE ";
    var around = new ArrayList<KeyedPlan.Text>();
    table
        .nodes()
        .forEach(
            node ->
                around.add(
                    new KeyedPlan.Text(
                        List.of(text(verb + TableNames.quotedIfNeeded(node.table()) + " SET ")),
                        List.of())));
    int count = table.assignments().size();
    boolean isMariaDb = analysis.task().catalog().isMariaDb(table.nodes().getFirst().dataSource());
    var pieces = new ArrayList<byte[]>();
    var stored = new ArrayList<StoredIn>();
    for (int i = 0; i < count; i++) {
      stored.add(
          column(table, table.assignments().get(i))
              .map(column -> StoredIn.of(column.type(), isMariaDb))
              .orElse(StoredIn.ANY));
      String column = TableNames.quoted(table.assignments().get(i).column());
      pieces.add(source.encode((i == 0 ? "" : ", ") + column + " = "));
    }
    RowCondition condition = table.condition(" WHERE ", columns, first);
    pieces.addAll(condition.pieces("", source::encode));
    int[] positions =
        IntStream.concat(
                IntStream.range(values, values + count), IntStream.of(condition.positions()))
            .toArray();
    return new KeyedPlan.Target(
        table,
        around,
        new RowTarget(
            List.of(),
            pieces,
            positions,
            NOTHING_BETWEEN,
            1,
            table.placer(columns, first),
            null,
            positions(first, table.keyColumns().size()),
            stored));
  }

  /** The query computes with old values only; DEFAULT means nothing in it. */
  private void refuseChains(ChangedTable table) {
    String refused = takesOldValues(table) ? null : chained(table);
    for (Assignment assignment : table.assignments()) {
      int given =
          tokens
              .in(assignment.value())
              .findLast(i -> tokens.isWord(i, "DEFAULT") && !tokens.isPunctuation(i + 1, '('));
      refused = given < 0 ? refused : tokens.text(given);
    }
    if (refused != null) {
      throw chain(refused, "other tables");
    }
  }

  private static RefusedException chain(String column, String read) {
    return ErrorCatalogue.NOT_EXACT.refuse(
        "'" + column + "' in SET of an UPDATE that reads " + read,
        "set it by a statement of its own");
  }

  /** A column that is read behind the assignment that sets it; null: there is none. */
  private @Nullable String chained(ChangedTable table) {
    Set<String> before = new HashSet<>();
    for (Assignment assignment : table.assignments()) {
      int read =
          tokens.in(assignment.value()).findName(token -> isOneOf(table.alias(), before, token));
      if (read >= 0) {
        return tokens.text(read);
      }
      before.add(assignment.column().toLowerCase(Locale.ROOT));
    }
    return null;
  }

  /**
   * Whether all that is set is computed with old values, where servers take one assignment after
   * the other elsewhere: those that take a subquery over the table that is changed do. Beside a
   * derived table it is up to how they find the rows.
   */
  private boolean takesOldValues(ChangedTable table) {
    String chained = readsItself(table) ? chained(table) : null;
    boolean isDerived = analysis.facts().blocks().stream().anyMatch(QueryBlock::hasDerivedTables);
    if (chained != null && isDerived) {
      throw chain(chained, "the same table as a derived one");
    }
    return readsItself(table);
  }

  /** Whether a subquery reads the table that is changed. */
  private boolean readsItself(ChangedTable table) {
    String name = table.table().ref().name();
    return analysis.tablesOf(0).size() == 1
        && analysis.tables().stream()
                .filter(read -> read.ref().name().equalsIgnoreCase(name))
                .limit(2)
                .count()
            > 1;
  }

  private static int[] positions(int first, int count) {
    int[] positions = new int[count];
    for (int i = 0; i < count; i++) {
      positions[i] = first + i;
    }
    return positions;
  }

  private Piece text(String text) {
    return new Piece.Text(source.encode(text));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
