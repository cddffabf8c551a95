package io.anabranch.rules.planner.query;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.scatter.Scatter;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.CommonTable;
import io.anabranch.rules.sql.SqlParser;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.CommonTableSpan;
import io.anabranch.rules.syntax.Marking;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
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
  static Scatter of(PlanTask task, KindPlanner statements) {
    SourceText source = task.source();
    SqlTokens tokens = source.tokens();
    List<Integer> names =
        CommonTableSpan.of(tokens, tokens.size()).stream().map(CommonTableSpan::name).toList();
    var marked = Marking.mark(source, CommonTableSpan.names(tokens, tokens.size()));
    List<CommonTable> tables = new SqlParser().commonTables(marked).orElse(List.of());
    boolean isKnown = tables.size() == names.size();
    for (int i = 0; i < tables.size() && isKnown; i++) {
      CommonTable table = tables.get(i);
      isKnown =
          table.name().equals(tokens.name(names.get(i)))
              && table.mentions().stream().allMatch(mention -> mention.token() >= 0);
    }
    return isKnown
        ? new Text(task, source, tables, names).rewritten(statements)
        : refused("a common table that is named twice in this form of the statement");
  }

  private static Scatter refused(String construct) {
    return Scatter.refused(construct, "join the tables themselves, or ask for each of them apart");
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
    private final List<CommonTable> tables;
    private final List<Integer> names;

    Text(PlanTask task, SourceText source, List<CommonTable> tables, List<Integer> names) {
      this.task = task;
      this.source = source;
      this.tokens = source.tokens();
      this.edits = new SourceEdits(source);
      this.tables = tables;
      this.names = names;
    }

    Scatter rewritten(KindPlanner statements) {
      for (CommonTable table : tables) {
        table.mentions().forEach(mention -> place(mention.token(), PLACE));
      }
      int[] named = ItemNames.keep(edits);
      int[] places = new int[tables.size()];
      int all = 0;
      // a table's query names tables that end in front of its end: these are in their places by
      // then
      List<Integer> byEnd =
          IntStream.range(0, tables.size())
              .boxed()
              .sorted(Comparator.comparingInt(i -> tokens.closing(query(names.get(i)))))
              .toList();
      for (int i : byEnd) {
        CommonTable table = tables.get(i);
        String different = different(names.get(i));
        if (table.mentions().size() > 1 && !different.isEmpty()) {
          return refused(different + " in a common table that is named twice");
        }
        places[i] = 1 + placesIn(names.get(i), places);
        for (CommonTable.Mention mention : table.mentions()) {
          all += places[i];
          if (all > MOST_PLACES) {
            return refused("common tables that are read in more than " + MOST_PLACES + " places");
          }
          place(mention.token(), derived(table, names.get(i), mention));
        }
      }
      var query = new Substatement.Builder(task, source).pieces(copy(0, tokens.size())).build();
      return new InlinedCommonTables(RowSource.of(query, statements), named);
    }

    private void place(int token, List<Piece> pieces) {
      edits.replace(edits.start(token), edits.end(token), pieces);
    }

    /** Those in the query of the table defined at {@code name}, which names others. */
    private int placesIn(int name, int[] places) {
      int open = query(name);
      int close = tokens.closing(open);
      int sum = 0;
      for (int i = 0; i < tables.size(); i++) {
        for (CommonTable.Mention mention : tables.get(i).mentions()) {
          sum += mention.token() > open && mention.token() < close ? places[i] : 0;
        }
      }
      return sum;
    }

    /** What might give other rows in each place; empty: nothing. */
    private String different(int name) {
      int open = query(name);
      int close = tokens.closing(open);
      boolean isCut = false;
      boolean isOrdered = false;
      for (int token = open + 1; token < close; token++) {
        boolean own = tokens.depth(token) == tokens.depth(open + 1);
        isCut |= own && tokens.isWord(token, "LIMIT");
        isOrdered |= own && tokens.isWord(token, "ORDER");
      }
      return isCut && !isOrdered
          ? "LIMIT without ORDER BY"
          : SessionWords.differentEverywhere(tokens, open, close);
    }

    /** The parenthesis that opens the query of the table defined at {@code name}. */
    private int query(int name) {
      int next = name + 1;
      int as = tokens.isPunctuation(next, '(') ? tokens.closing(next) + 1 : next;
      return as + 1;
    }

    private List<Piece> derived(CommonTable table, int name, CommonTable.Mention mention) {
      int open = query(name);
      int close = tokens.closing(open);
      var pieces = new ArrayList<Piece>();
      if (table.recursive()) {
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
      for (int token = first; token < behind; token++) {
        int name = tokens.isWord(token + 1, "RECURSIVE") ? token + 2 : token + 1;
        if (tokens.isWord(token, "WITH") && names.contains(name)) {
          pieces.addAll(edits.copyTokens(copied, token));
          pieces.add(edits.text(" "));
          token = lastOfClause(name);
          copied = token + 1;
        }
      }
      pieces.addAll(edits.copyTokens(copied, behind));
      return pieces;
    }

    /** The parenthesis that closes the last query of the clause whose first table is at name. */
    private int lastOfClause(int name) {
      int last = tokens.closing(query(name));
      while (tokens.isPunctuation(last + 1, ',') && names.contains(last + 2)) {
        last = tokens.closing(query(last + 2));
      }
      return last;
    }
  }
}
