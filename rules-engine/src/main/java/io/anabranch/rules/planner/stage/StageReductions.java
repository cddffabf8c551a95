package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.BlockScope;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which copies of a staged statement are made first, and which of the others then need those rows
 * only that have one of the keys of a copy before: in {@code a JOIN b ON b.a_id = a.id WHERE a.name
 * = 'x'} the rows of {@code b} for the few of {@code a}; likewise in {@code b.a_id IN (SELECT id
 * FROM a …)} and EXISTS. Used once per statement.
 */
final class StageReductions {

  private final SourceText source;
  private final Analysis analysis;
  private final List<StagedReference> references;
  private final List<BlockScope> scopes;
  private final SemiJoins semiJoins;

  /** By reference, its position in its block. */
  private final int[] positions;

  /**
   * @param references as many as {@code analysis} has tables, in the same order
   */
  StageReductions(Analysis analysis, List<SelectSpans> selects, List<StagedReference> references) {
    this.semiJoins = new SemiJoins(analysis.source().tokens(), selects);
    this.source = analysis.source();
    this.analysis = analysis;
    this.references = references;
    this.scopes = BlockScope.all(analysis);
    this.positions = positions(analysis);
  }

  /**
   * Numbers of the references in the order in which they are copied.
   *
   * @param isNarrow by reference, whether conditions of its own leave only a part of its rows
   */
  List<Integer> order(List<Boolean> isNarrow) {
    var order = new ArrayList<Integer>();
    for (int i = 0; i < references.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingInt(i -> rank(references.get(i), isNarrow.get(i))));
    return order;
  }

  private static int rank(StagedReference reference, boolean isNarrow) {
    if (isNarrow) {
      return 0;
    }
    return reference.table() instanceof PlacedTable.Broadcast ? 1 : 2;
  }

  /**
   * @param of the reference
   * @param before references that are copied before it
   * @param needed by reference, the columns of its copy; null while they are not known
   */
  StagedTable.@Nullable Reduction of(
      int of, List<Integer> before, List<@Nullable List<Column>> needed) {
    if (source.text().contains(StagedTable.KEYS)) {
      return null;
    }
    PlacedTable table = analysis.tables().get(of);
    BlockScope scope = scopes.get(table.ref().block());
    List<Integer> related = before.stream().filter(other -> mayFollow(of, other)).toList();
    for (var own : table.columns().entrySet()) {
      Wish.requireWanted();
      if (own.getValue() != KeyType.INTEGER) {
        continue;
      }
      var key = new ColumnKey(positions[of], own.getKey());
      for (int other : related) {
        int column = follows(of, key, scope, other, needed.get(other));
        if (column >= 0) {
          String alias = TableNames.quoted(table.ref().alias());
          String condition =
              alias + "." + TableNames.quoted(own.getKey()) + " IN (" + StagedTable.KEYS + ")";
          return new StagedTable.Reduction(
              references.get(other).name(), column, source.encode(condition));
        }
      }
    }
    return null;
  }

  private boolean mayFollow(int of, int other) {
    BlockScope where = scopes.get(analysis.tables().get(other).ref().block());
    return scopes.get(analysis.tables().get(of).ref().block()).mayFollow(where)
        || semiJoins.mayTie(references.get(of), references.get(other));
  }

  /** Position of a column in a copy whose values those of {@code key} are; -1 if there is none. */
  private int follows(
      int of, ColumnKey key, BlockScope scope, int other, @Nullable List<Column> columns) {
    PlacedTable table = analysis.tables().get(other);
    BlockScope where = scopes.get(table.ref().block());
    for (int i = 0; columns != null && i < columns.size(); i++) {
      String name = columns.get(i).name().toLowerCase(Locale.ROOT);
      boolean number = table.columns().get(name) == KeyType.INTEGER;
      var column = new ColumnKey(positions[other], name);
      boolean follows =
          number
              && (scope.follows(key, where, column)
                  || (isOfTables(of)
                      && isOfTables(other)
                      && semiJoins.ties(
                          references.get(of), scope, key, references.get(other), where, column)));
      if (follows) {
        return i;
      }
    }
    return -1;
  }

  /** Whether its block reads nothing but tables: all names are known. */
  private boolean isOfTables(int reference) {
    int block = analysis.tables().get(reference).ref().block();
    return !analysis.facts().blocks().get(block).hasDerivedTables();
  }

  private static int[] positions(Analysis analysis) {
    var positions = new int[analysis.tables().size()];
    var met = new HashMap<Integer, Integer>();
    for (int i = 0; i < positions.length; i++) {
      positions[i] = met.merge(analysis.tables().get(i).ref().block(), 1, Integer::sum) - 1;
    }
    return positions;
  }
}
