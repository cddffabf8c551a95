package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.planner.scatter.Scatter;
import io.anabranch.rules.planner.scatter.ScatterPlanner;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.task.PlanTask;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Expressions over aggregates: the groups are merged as those of {@code SELECT keys, aggregates …
 * GROUP BY keys}, and a database computes the expressions, HAVING, ORDER BY and LIMIT over the few
 * merged rows. What it does not take is left to copies of the tables. Used once.
 */
public final class ComputedGroups {

  private static final String GROUPS = StagedTable.GROUPS;
  private static final String ITEM = "ab_item_";
  private static final int DECIMAL = 246;
  private static final int DOUBLE = 5;
  private static final int UNSIGNED = 0x20;

  private final Analysis analysis;
  private final SingleTemplate single;
  private final Placement placement;
  private final NameMapping mapping;
  private final PlanTask task;
  private final SqlTokens tokens;
  private final SortedSet<Integer> guards = new TreeSet<>();

  public ComputedGroups(
      Analysis analysis, Placement placement, NameMapping mapping, SingleTemplate single) {
    this.analysis = analysis;
    this.placement = placement;
    this.mapping = mapping;
    this.single = single;
    this.task = analysis.task();
    this.tokens = analysis.source().tokens();
  }

  /** Slots whose literals decide what the client is told of the columns. */
  public int[] guardedSlots() {
    return guards.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Refused where this is no way to answer the query. */
  public Scatter plan() {
    SelectFacts select = analysis.facts().select();
    SelectLayout layout = SelectLayout.of(tokens).orElse(null);
    if (select == null || layout == null || !isTaken(select, layout)) {
      return Scatter.refused("expressions over aggregates", "select the plain aggregates");
    }
    try {
      return plan(select, layout);
    } catch (NotMergeableException reason) {
      return new Scatter.Refused(reason.refusal());
    }
  }

  private boolean isTaken(SelectFacts select, SelectLayout layout) {
    return layout.matches(select)
        && layout.tail().isEmpty()
        && !select.rollup()
        && !select.calculatesFoundRows()
        && SessionWords.tiedToSession(tokens).isEmpty()
        && !analysis.facts().windows()
        && !analysis.sharded().isEmpty()
        && placement.isOneGroup()
        && !placement.hasSingleTables()
        && !mentionsZerofill();
  }

  /** Merged groups do not tell with how many zeros the server writes their numbers. */
  private boolean mentionsZerofill() {
    return analysis.sharded().stream()
        .anyMatch(table -> analysis.mentions(table, SchemaCatalog.Column::isZerofill));
  }

  private Scatter plan(SelectFacts select, SelectLayout layout) {
    boolean mariaDb = task.catalog().isMariaDb(placement.layout(0).node(0).dataSource());
    String increment = task.scope().settings().getOrDefault("div_precision_increment", "");
    var columns = new GroupColumns(analysis, select, layout, Averages.of(mariaDb, increment));
    rest(select, layout, columns, List.of());
    return scatter(select, layout, columns);
  }

  /**
   * The statement over the merged groups.
   *
   * @param told what the client is told of the columns; empty: the columns are only collected
   */
  private Substatement.Builder rest(
      SelectFacts select, SelectLayout layout, GroupColumns columns, List<ResultColumn> told) {
    var rest = new Substatement.Builder(task, analysis.source());
    // Servers forget such a DISTINCT, too: then rows may be ordered by what they do not show.
    boolean isIdle = select.distinct() && columns.showsKeys();
    rest.tokens(0, isIdle ? 1 : layout.items().getFirst().first());
    for (int item = 0; item < layout.items().size(); item++) {
      Span span = layout.items().get(item);
      Span expression = GroupColumns.withoutAlias(tokens, select, item, span);
      rest.text(item == 0 ? " " : ", ");
      boolean typed = item < told.size() && Averages.areIn(tokens, expression);
      ResultColumn type = typed ? told.get(item) : null;
      if (type == null) {
        columns.compute(expression, rest, false);
      } else {
        computed(expression, type, columns, rest);
      }
      if (span.behind() > expression.behind()) {
        rest.text(" ").tokens(expression.behind(), span.behind());
      } else if (type != null) {
        rest.text(" AS " + ITEM + item);
      }
      guards.addAll(span.literals(tokens));
    }
    rest.text(" FROM " + GROUPS);
    if (!layout.having().isEmpty()) {
      rest.text(" WHERE ");
      columns.compute(layout.having(), rest, false);
    }
    if (!layout.orderClause().isEmpty()) {
      rest.text(" ORDER BY ");
      Span clause = layout.orderClause();
      columns.compute(new Span(clause.first() + 2, clause.behind()), rest, true);
    }
    int limit = limit(layout);
    return rest.text(" ").tokens(limit, tokens.size());
  }

  /** Of the type that an expression over AVG has on the server, which knows its digits. */
  private void computed(
      Span expression, ResultColumn type, GroupColumns columns, Substatement.Builder to) {
    boolean whole = Comparability.isInteger(type);
    boolean decimal = type.type() == DECIMAL;
    if (type.type() == DOUBLE && columns.averagesExact()) {
      throw Averages.refused();
    }
    if (decimal && columns.showsOwnDigits() && SelectLayout.chooses(tokens, expression)) {
      chosen(expression, columns, to);
      return;
    }
    to.text(whole ? "CAST(" : decimal ? "ROUND(" : "");
    columns.compute(expression, to, false);
    if (whole) {
      to.text((type.flags() & UNSIGNED) != 0 ? " AS UNSIGNED)" : " AS SIGNED)");
    } else if (decimal) {
      to.text(", ").number(type.decimals()).text(")");
    }
  }

  /** MySQL shows the digits of the value that is chosen, and not those of the whole type. */
  private void chosen(Span expression, GroupColumns columns, Substatement.Builder to) {
    List<Span> choices = SelectLayout.choices(tokens, expression);
    int written = expression.first();
    for (Span choice : choices) {
      columns.compute(new Span(written, choice.first()), to, false);
      if (!Averages.areIn(tokens, choice)) {
        columns.compute(choice, to, false);
      } else if (columns.isAverage(choice)) {
        to.text(" ROUND(");
        columns.compute(choice, to, false);
        to.text(", ").number(columns.decimalsOfAverage(choice)).text(")");
      } else {
        chosen(choice, columns, to);
      }
      written = choice.behind();
    }
    if (choices.isEmpty()) {
      throw Averages.refused();
    }
    columns.compute(new Span(written, expression.behind()), to, false);
  }

  /** The token LIMIT, or behind the last. */
  private int limit(SelectLayout layout) {
    int found =
        tokens
            .from(layout.body())
            .find(
                token ->
                    tokens.depth(token) == 0
                        && tokens.isWord(token, "LIMIT")
                        && tokens.kind(token) == TokenKind.WORD);
    return found < 0 ? tokens.size() : found;
  }

  private Scatter scatter(SelectFacts select, SelectLayout layout, GroupColumns columns) {
    Substatement groups = columns.query();
    Analysis inner = new StatementReader().read(groups.task());
    Placement place = Placement.of(inner);
    var names = inner.names(place.layouts());
    var template = new SingleTemplate(inner, place, names);
    Scatter merged = new ScatterPlanner(inner, place, names, inner.mapping(), template).plan();
    if (merged instanceof Scatter.Refused) {
      return merged;
    }
    List<GroupColumns.Stored> stored =
        columns.stored(task.catalog().describe(query(inner, place, template)));
    List<StagedTable.Cell> cells = stored.stream().map(GroupColumns.Stored::cell).toList();
    String definition =
        String.join(", ", stored.stream().map(GroupColumns.Stored::definition).toList());
    List<ResultColumn> told =
        mapping.logical(task.catalog().describe(query(analysis, placement, single)));
    columns.refuseTextsOfBits(told);
    Substatement rest = rest(select, layout, columns, told).build();
    var sources = new StageSources(task.database(), task.rules().properties().stageDataSource());
    var source = rest.task().source();
    List<Piece> pieces = new SourceEdits(source).copy(0, source.bytes().length);
    return (legs, bound) -> {
      PlanNode rows = merged.root(legs, groups.values(bound));
      var rendering = new SqlRendering(rest.values(bound), names, source.bytes().length);
      rendering.append(pieces, new int[0]);
      String where = sources.choose(counts(legs));
      return new PlanNode.Stage(
          List.of(new StagedTable(GROUPS, "(" + definition + ")", rows, cells, null)),
          rendering.query(where),
          told,
          sources.room(where),
          false);
    };
  }

  private Map<String, Integer> counts(BitSet legs) {
    Map<String, Integer> counts = new HashMap<>();
    for (int leg = legs.nextSetBit(0); leg >= 0; leg = legs.nextSetBit(leg + 1)) {
      counts.merge(placement.layout(0).node(leg).dataSource(), 1, Integer::sum);
    }
    return counts;
  }

  /** The statement on the first node of each table, to be described. */
  private static ShardQuery query(Analysis of, Placement place, SingleTemplate template) {
    return template.query(
        place.layout(0).node(0).dataSource(), new int[of.sharded().size()], of.task().written());
  }
}
