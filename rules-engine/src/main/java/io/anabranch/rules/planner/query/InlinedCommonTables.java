package io.anabranch.rules.planner.query;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.CommonTableMention;
import io.anabranch.rules.sql.SqlParser;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.Marking;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A query that reads a common table in several places, with the table's query in each of them. A
 * MySQL server reads the tables of that query once a place, and a temporary table, which the copies
 * are, only once a statement (error 1137). See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/temporary-table-problems.html">TEMPORARY TABLE
 * Problems</a>.
 *
 * @param named slots whose literals are in the names of select items
 */
record InlinedCommonTables(RowSource rows, int[] named) implements Detour {

  /** Each place costs copies of its own; names that stand for names multiply. */
  private static final int MOST_PLACES = 64;

  private static final List<Piece> PLACE = List.of(new Piece.Text(new byte[0]));

  /**
   * @param statements plans what comes out
   */
  static Attempt of(PlanTask task, KindPlanner statements) {
    SourceText source = task.source();
    CommonTables tables = task.commonTables(source.tokens());
    var marked = Marking.mark(source, Set.of(), tables);
    return new SqlParser()
        .commonTables(marked)
        .map(mentions -> new Text(task, source, tables.all(), mentions).rewritten(statements))
        .orElseGet(
            () -> refused("a common table that is named twice in this form of the statement"));
  }

  private static Attempt refused(String construct) {
    return Attempt.declined(construct, "join the tables themselves, or ask for each of them apart");
  }

  @Override
  public PlanNode root(BitSet legs, SlotValues values) {
    return rows.rows(values);
  }

  @Override
  public int[] guardedSlots() {
    return IntStream.concat(Arrays.stream(rows.guardedSlots()), Arrays.stream(named)).toArray();
  }

  /** The statement without its WITH clauses. */
  private static final class Text {

    private final PlanTask task;
    private final SourceText source;
    private final SqlTokens tokens;
    private final SourceEdits edits;
    private final List<CommonTables.Definition> tables;
    private final List<CommonTableMention> mentions;

    Text(
        PlanTask task,
        SourceText source,
        List<CommonTables.Definition> tables,
        List<CommonTableMention> mentions) {
      this.task = task;
      this.source = source;
      this.tokens = source.tokens();
      this.edits = new SourceEdits(source);
      this.tables = tables;
      // what a table's own query says of it is no mention
      this.mentions =
          mentions.stream()
              .filter(each -> tables.stream().noneMatch(table -> isOwn(table, each)))
              .toList();
    }

    Attempt rewritten(KindPlanner statements) {
      for (CommonTables.Definition table : tables) {
        if (mentions.stream().anyMatch(each -> names(each, table) && each.token() < table.name())) {
          return refused(
              "common tables that are named in front of their definition, and read in several places");
        }
      }
      mentions.forEach(mention -> place(mention, PLACE));
      int[] named = ItemNames.keep(edits);
      int[] places = new int[tables.size()];
      int all = 0;
      // a table's query names tables that end in front of its end: these are in their places by
      // then
      List<Integer> byEnd =
          IntStream.range(0, tables.size())
              .boxed()
              .sorted(Comparator.comparingInt(i -> tokens.closing(tables.get(i).query())))
              .toList();
      for (int i : byEnd) {
        CommonTables.Definition table = tables.get(i);
        List<CommonTableMention> own =
            mentions.stream().filter(each -> names(each, table)).toList();
        String different = different(table);
        if (own.size() > 1 && !different.isEmpty()) {
          return refused(different + " in a common table that is named twice");
        }
        places[i] = 1 + placesIn(table, places);
        for (CommonTableMention mention : own) {
          all += places[i];
          if (all > MOST_PLACES) {
            return refused("common tables that are read in more than " + MOST_PLACES + " places");
          }
          place(mention, derived(table, mention));
        }
      }
      var query = new Substatement.Builder(task, source).pieces(copy(0, tokens.size())).build();
      return new InlinedCommonTables(RowSource.of(query, statements), named).taken();
    }

    private static boolean names(CommonTableMention mention, CommonTables.Definition table) {
      return mention.definition() == table.name();
    }

    private boolean isOwn(CommonTables.Definition table, CommonTableMention mention) {
      return names(mention, table) && isIn(table, mention);
    }

    private boolean isIn(CommonTables.Definition table, CommonTableMention mention) {
      return table.query() < mention.token() && mention.token() < tokens.closing(table.query());
    }

    private void place(CommonTableMention mention, List<Piece> derived) {
      edits.derive(mention.token(), mention.token() + 1, mention.aliased(), derived);
    }

    /** Those in the query of the table, which names others. */
    private int placesIn(CommonTables.Definition table, int[] places) {
      int sum = 0;
      for (int i = 0; i < tables.size(); i++) {
        for (CommonTableMention mention : mentions) {
          sum += names(mention, tables.get(i)) && isIn(table, mention) ? places[i] : 0;
        }
      }
      return sum;
    }

    /** What might give other rows in each place; empty: nothing. */
    private String different(CommonTables.Definition table) {
      int open = table.query();
      int close = tokens.closing(open);
      return tokens.between(open + 1, close).has(token -> isAnyRows(token, open))
          ? "LIMIT without ORDER BY"
          : SessionWords.differentEverywhere(tokens, open, close);
    }

    /**
     * Whether a LIMIT there leaves rows in no order. Subqueries have LIMIT 1 for the only row that
     * there is.
     */
    private boolean isAnyRows(int limit, int query) {
      int around = tokens.around(limit);
      return tokens.isWord(limit, "LIMIT")
          && !tokens.isPunctuation(limit - 1, '.')
          && (around == query
              || tokens.wholeNumber(limit + 1) != 1
              || !tokens.isPunctuation(limit + 2, ')'))
          && tokens.between(around + 1, limit).findClause("ORDER") < 0;
    }

    private List<Piece> derived(CommonTables.Definition table, CommonTableMention mention) {
      int name = table.name();
      int open = table.query();
      int close = tokens.closing(open);
      var pieces = new ArrayList<Piece>();
      if (table.isRecursive()) {
        pieces.add(edits.text(" (WITH RECURSIVE "));
        pieces.addAll(edits.copyTokens(name, open + 1));
        pieces.addAll(copy(open + 1, close));
        pieces.add(edits.text(") SELECT * FROM "));
        pieces.addAll(edits.copyTokens(name, name + 1));
      } else if (tokens.isPunctuation(name + 1, '(')) {
        pieces.add(edits.text(" (SELECT * FROM ("));
        pieces.addAll(copy(open + 1, close));
        pieces.add(edits.text(") AS "));
        pieces.addAll(edits.copyTokens(name, tokens.closing(name + 1) + 1));
      } else {
        pieces.add(edits.text(" ("));
        pieces.addAll(copy(open + 1, close));
      }
      pieces.add(edits.text(")"));
      if (!mention.aliased()) {
        pieces.add(edits.text(" AS " + TableNames.quoted(tokens.name(mention.token()))));
      }
      pieces.add(edits.text(" "));
      return pieces;
    }

    /** The edited tokens {@code [first, behind)} without the WITH clauses among them. */
    private List<Piece> copy(int first, int behind) {
      var pieces = new ArrayList<Piece>();
      int copied = first;
      for (CommonTables.Definition table : tables) {
        if (table.name() >= copied && table.name() < behind) {
          int close = tokens.closing(table.query());
          boolean isFirst = !tokens.isPunctuation(table.name() - 1, ',');
          if (isFirst) {
            int with = tokens.isWord(table.name() - 1, "WITH") ? 1 : 2;
            pieces.addAll(edits.copyTokens(copied, table.name() - with));
            pieces.add(edits.text(" "));
          }
          copied = close + 1;
        }
      }
      pieces.addAll(edits.copyTokens(copied, behind));
      return pieces;
    }
  }
}
