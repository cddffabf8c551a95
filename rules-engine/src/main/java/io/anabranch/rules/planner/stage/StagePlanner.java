package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.SequenceTables;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Strategy;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.TablePlacer;
import io.anabranch.rules.resolve.Together;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.SqlParser;
import io.anabranch.rules.sql.StatementFacts;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.Marking;
import io.anabranch.rules.syntax.RowLocks;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.syntax.query.TokenFacts;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans a query over copies of its tables: what merging does not answer, and what reads tables that
 * are nowhere together. Used once.
 *
 * <p>The phases: {@link StageChecks} tell what cannot be done, {@link StageText} puts copies in the
 * place of tables, {@link StagedColumns} and {@link StagePushdown} say which columns and rows each
 * copy needs, {@link StagedCells} how they travel.
 */
public final class StagePlanner implements Strategy {

  /** ER_CANT_REOPEN_TABLE, see {@code InlinedCommonTables}. */
  private static final int CANNOT_REOPEN = 1137;

  /** ER_WRONG_FIELD_WITH_GROUP: a column that GROUP BY does not decide. */
  private static final int NOT_DECIDED = 1055;

  /** ER_MIX_OF_GROUP_FUNC_AND_FIELDS: the same without GROUP BY. */
  private static final int NOT_DECIDED_IN_ALL = 1140;

  private final PlacedStatement query;
  private final Analysis analysis;
  private final PlanTask task;
  private final SqlTokens tokens;
  private boolean isNamedTwice;

  public StagePlanner(PlacedStatement query) {
    this.query = query;
    this.analysis = query.analysis();
    this.task = analysis.task();
    this.tokens = analysis.source().tokens();
  }

  @Override
  public String name() {
    return "stage";
  }

  @Override
  public boolean bringsTogether() {
    return true;
  }

  /**
   * Whether it declined as the database would read a common table, and so its copies, in several
   * places: it cannot.
   */
  public boolean isNamedTwice() {
    return isNamedTwice;
  }

  @Override
  public Attempt attempt() {
    List<SelectSpans> selects = SelectSpans.of(tokens);
    Refusal refusal = StageChecks.check(analysis, selects);
    if (refusal != null) {
      return Attempt.declined(refusal);
    }
    try {
      return Attempt.of(() -> plan(selects, RowLocks.of(tokens)));
    } catch (SchemaCatalog.DescribeException failed) {
      if (failed.errno() != CANNOT_REOPEN) {
        throw failed;
      }
      isNamedTwice = true;
      return Attempt.declined(
          "a common table that is named twice",
          "join the tables themselves, or ask for each of them apart");
    }
  }

  private Attempt plan(List<SelectSpans> selects, Span locks) {
    StatementFacts facts = factsWithAllNames();
    List<StagedReference> references = references(facts, selects);
    NameMapping names = withCopies(references);
    var text = new StageText(task, facts, references);
    var columns = new StagedColumns(tokens, references);
    var pushdown = new StagePushdown(tokens, selects, references);
    var copies = new ArrayList<StagePlan.Copy>();
    var reductions = new StageReductions(analysis, selects, references);
    var needs = new ArrayList<@Nullable List<Column>>();
    var narrow = new ArrayList<Boolean>();
    for (StagedReference reference : references) {
      needs.add(columns.needed(reference));
      narrow.add(!pushdown.of(reference).isEmpty() || isRestricted(reference));
    }
    var before = new ArrayList<Integer>();
    for (int reference : reductions.order(narrow)) {
      StagedTable.Reduction reduction = reductions.of(reference, before, needs);
      StagedReference one = references.get(reference);
      boolean isAlone =
          references.stream().filter(each -> each.select() == one.select()).count() == 1;
      copies.add(copy(one, isAlone, selects, columns, text, pushdown, locks, reduction));
      before.add(reference);
    }
    var sources = new StageSources(task.database(), task.rules().properties().stageDataSource());
    List<Piece> statement = text.edits().copy(0, analysis.source().bytes().length);
    var plan =
        new StagePlan(
            query.placement(),
            query.names(),
            sources,
            copies,
            statement,
            names.logical(described(sources, copies, statement, columns, references)),
            !task.catalog().isMariaDb(sources.choose(Map.of())) && !showsMode());
    return new Attempt.Taken(plan, names, text.namedSlots());
  }

  /** Names of copies, too. */
  private NameMapping withCopies(List<StagedReference> references) {
    Map<String, String> all = new HashMap<>(query.mapping().tables());
    references.forEach(each -> all.put(each.name(), each.table().ref().name()));
    return new NameMapping(query.mapping().schema(), all);
  }

  private StagePlan.Copy copy(
      StagedReference reference,
      boolean isAlone,
      List<SelectSpans> selects,
      StagedColumns columns,
      StageText text,
      StagePushdown pushdown,
      Span locks,
      StagedTable.@Nullable Reduction reduction) {
    List<Column> needed = columns.needed(reference);
    List<Column> joined = columns.joined(reference, needed);
    List<Column> unique = StagedKeys.unique(reference, needed);
    List<Column> grouped =
        isAlone
            ? new GroupedKey(task, tokens, reference, needed)
                .columns(selects.get(reference.select()), unique)
            : List.of();
    List<StagedCells> cells = needed.stream().map(StagedCells::of).toList();
    var reading =
        new StagedReading(task, query.names(), query.placement(), analysis.sharded().size(), text);
    Span tail = reference.ref().block() == 0 ? locks : Span.NONE;
    return new StagePlan.Copy(
        reference.name(),
        StagedKeys.definition(
            needed,
            unique,
            unique.isEmpty() ? column -> isKey(column, joined) : joined::contains,
            grouped),
        StagedKeys.definition(
            needed,
            unique,
            unique.isEmpty() ? column -> column.key() || joined.contains(column) : joined::contains,
            List.of()),
        needed.stream().map(Column::name).toList(),
        cells.stream().map(StagedCells::cell).toList(),
        reading.of(
            reference,
            number(reference),
            needed,
            cells,
            reduction == null ? new byte[0] : reduction.condition(),
            pushdown.of(reference),
            tail),
        reduction);
  }

  /** Among the sharded references; -1 for others. */
  private int number(StagedReference reference) {
    return reference.table() instanceof PlacedTable.Sharded sharded
        ? analysis.sharded().indexOf(sharded)
        : -1;
  }

  private boolean isRestricted(StagedReference reference) {
    int number = number(reference);
    return number >= 0 && query.placement().isRestricted(number);
  }

  /** The same facts with a token for each table, those without rules included. */
  private StatementFacts factsWithAllNames() {
    Set<String> known = new HashSet<>(TablePlacer.knownNames(task.database()));
    for (PlacedTable table : analysis.tables()) {
      known.add(table.ref().name().toLowerCase(Locale.ROOT));
    }
    CommonTables commonTables = task.commonTables(tokens);
    return new SqlParser()
        .parse(Marking.mark(analysis.source(), known, commonTables), true)
        .or(() -> TokenFacts.of(tokens, commonTables, task.scan().kind(), task.database().name()))
        .orElseThrow(
            () ->
                new NotMergeableException(
                    "a table that is named like a word of the statement", "give it another name"));
  }

  private List<StagedReference> references(StatementFacts facts, List<SelectSpans> selects) {
    var references = new ArrayList<StagedReference>();
    for (QueryBlock block : facts.blocks()) {
      for (int position = 0; position < block.tables().size(); position++) {
        TableRef ref = block.tables().get(position);
        int place = position;
        int outerJoins =
            (int) block.outerJoins().stream().filter(join -> join.nullable().get(place)).count();
        int number = references.size();
        PlacedTable table = analysis.tables().get(number);
        String name = StagedTable.COPY + (number + 1);
        references.add(
            new StagedReference(
                name, ref, table, schema(table), selectOf(ref, selects), outerJoins));
      }
    }
    return references;
  }

  private static int selectOf(TableRef ref, List<SelectSpans> selects) {
    int select = ref.nameToken() < 0 ? -1 : SelectSpans.around(selects, ref.nameToken());
    if (select < 0) {
      throw new NotMergeableException("this form of the statement", "write it with SELECT … FROM");
    }
    return select;
  }

  private TableSchema schema(PlacedTable table) {
    if (table instanceof PlacedTable.Sharded sharded && sharded.view() != null) {
      return sharded.view().schema();
    }
    if (table instanceof PlacedTable.View view) {
      throw new NotMergeableException(
          "the view '" + view.ref().name() + "' in this place", "select from it alone");
    }
    List<DataNode> nodes = table.nodes(task);
    if (nodes.isEmpty()) {
      throw new NotMergeableException("a system table", "ask for it alone");
    }
    return task.catalog()
        .table(nodes)
        .or(() -> SequenceTables.find(nodes.getFirst().table()))
        .orElseThrow(
            () -> new NotMergeableException("a table that is gone", "check its data sources"));
  }

  /**
   * MariaDB takes {@code BETWEEN 'A' AND 'a'} for one value where an index of a case-sensitive
   * column would help: strings have keys where they are joined by only.
   */
  private static boolean isKey(Column column, List<Column> joined) {
    return joined.contains(column) || (column.key() && column.collation() == null);
  }

  // ---------------------------------------------------------------- what the client is told

  private List<ResultColumn> described(
      StageSources sources,
      List<StagePlan.Copy> copies,
      List<Piece> statement,
      StagedColumns needed,
      List<StagedReference> references) {
    SlotValues values = task.written();
    Together together = Together.of(analysis, query.placement()).orElse(null);
    if (together != null && !TokenFacts.readsOneTwice(tokens, task.commonTables(tokens))) {
      return task.catalog()
          .describe(query.single().query(together.dataSource(), together.nodes(), values));
    }
    var rendering = new SqlRendering(values, query.names(), 512);
    rendering.append(statement, new int[0]);
    ShardQuery over = rendering.query(sources.choose(Map.of()));
    Map<String, String> tables = new HashMap<>();
    copies.forEach(copy -> tables.put(copy.name(), copy.described()));
    return describedOver(tables, over, needed, references);
  }

  /**
   * MySQL asks keys which columns others decide. Copies have those alone that all of their rows
   * keep: what is refused over them is asked again over the tables' own.
   */
  private List<ResultColumn> describedOver(
      Map<String, String> tables,
      ShardQuery asked,
      StagedColumns needed,
      List<StagedReference> references) {
    try {
      return task.catalog().describeOver(tables, asked);
    } catch (SchemaCatalog.DescribeException refused) {
      if (refused.errno() != NOT_DECIDED && refused.errno() != NOT_DECIDED_IN_ALL) {
        throw refused;
      }
      Map<String, String> keyed = new HashMap<>();
      for (StagedReference reference : references) {
        List<TableKey> keys =
            isView(reference.table()) ? List.of() : task.keys(reference.table().nodes(task));
        keyed.put(reference.name(), StagedKeys.declaring(needed.needed(reference), keys));
      }
      return task.catalog().describeOver(keyed, asked);
    }
  }

  /** Whether the statement may tell under which sql_mode it runs. */
  private boolean showsMode() {
    return analysis.source().text().toLowerCase(Locale.ROOT).contains("sql_mode");
  }

  private static boolean isView(PlacedTable table) {
    return table instanceof PlacedTable.Sharded sharded && sharded.view() != null;
  }
}
