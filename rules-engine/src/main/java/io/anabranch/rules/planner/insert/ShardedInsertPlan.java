package io.anabranch.rules.planner.insert;

import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.CheckedKeys;
import io.anabranch.rules.placement.GeneratedKeys;
import io.anabranch.rules.placement.KeyColumn;
import io.anabranch.rules.placement.KnownRows;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.placement.RowValue;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.CheckedRows;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.sql.AimedRows;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.task.ReturningClause;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * INSERT or REPLACE of rows into a sharded table: each row goes to its node, the rows of one node
 * travel in one statement. Immutable.
 */
final class ShardedInsertPlan implements StatementPlan {

  /**
   * A statement for one node, whole and in pieces that are joined with blanks; the rows are
   * separated by commas.
   *
   * @param whole all rows; null where they are so many that they are put together
   * @param query the head of a row that is written as a query where it is alone; null: none is
   * @param rows of any data source: the same ones where they mention no table
   */
  record Text(
      @Nullable AimedText whole,
      AimedText head,
      @Nullable AimedText query,
      AimedRows rows,
      AimedText tail) {}

  private static final byte[] COMMA = {',', ' '};

  private final StatementKind kind;
  private final NameMapping names;
  private final RowPlacement placement;
  private final List<DataNode> nodesOf;
  private final Set<String> notNull;
  private final KnownRows rows;
  private final @Nullable KeyColumn key;
  private final List<byte[]> least;
  private final @Nullable AutoIncrement autoIncrement;
  private final @Nullable ReturningClause returning;
  private final boolean databaseKeys;
  private final boolean ignores;
  private final List<Text> texts;
  private final @Nullable List<Text> filled;
  private final BitSet queried;
  private final @Nullable CheckedKeys checked;
  private final boolean replaces;
  private final boolean updates;
  private final @Nullable Refusal together;
  private final boolean isNumbered;

  /**
   * @param nodesOf of the table, by their numbers
   * @param notNull lower-case names of columns for which NULL is an error
   * @param rows what each row holds in the columns that matter
   * @param key null if there is nothing to fill
   * @param least by node, how the question for the least of some keys begins; empty without a key
   * @param autoIncrement column whose values the databases must not make; null if there is none
   * @param returning rows that the statement answers with; null: none
   * @param databaseKeys whether the database makes keys, of which the packets behind rows say
   *     nothing
   * @param ignores whether rows that are there are left out
   * @param texts by node
   * @param filled the same with keys in the places of parameters; null if no row gives one
   * @param queried rows that can be written as a query, from 0
   * @param checked unique keys that are looked for on all nodes; null: none
   * @param replaces whether rows take the place of those that are there
   * @param updates whether it says what becomes of rows that are there
   * @param together why several rows have to be one node's; null: they need not
   * @param isNumbered whether databases number the key's column
   */
  ShardedInsertPlan(
      StatementKind kind,
      NameMapping names,
      RowPlacement placement,
      List<DataNode> nodesOf,
      Set<String> notNull,
      KnownRows rows,
      @Nullable KeyColumn key,
      List<byte[]> least,
      @Nullable AutoIncrement autoIncrement,
      @Nullable ReturningClause returning,
      boolean databaseKeys,
      boolean ignores,
      List<Text> texts,
      @Nullable List<Text> filled,
      BitSet queried,
      @Nullable CheckedKeys checked,
      boolean replaces,
      boolean updates,
      @Nullable Refusal together,
      boolean isNumbered) {
    this.kind = kind;
    this.names = names;
    this.placement = placement;
    this.nodesOf = List.copyOf(nodesOf);
    this.notNull = Set.copyOf(notNull);
    this.rows = rows;
    this.key = key;
    this.least = List.copyOf(least);
    this.autoIncrement = autoIncrement;
    this.returning = returning;
    this.databaseKeys = databaseKeys;
    this.ignores = ignores;
    this.texts = List.copyOf(texts);
    this.filled = filled == null ? null : List.copyOf(filled);
    this.queried = (BitSet) queried.clone();
    this.checked = checked;
    this.replaces = replaces;
    this.updates = updates;
    this.together = together;
    this.isNumbered = isNumbered;
  }

  @Override
  public StatementKind kind() {
    return kind;
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public NameMapping names() {
    return names;
  }

  @Override
  public int[] guardedSlots() {
    return returning == null ? new int[0] : returning.guardedSlots();
  }

  @Override
  public BoundPlan bind(SlotValues client) {
    GeneratedKeys keys = key == null ? null : key.fill(rows, client);
    SlotValues values = keys == null ? client : keys;
    if (!client.isBound()) {
      return new BoundPlan.Single(whole(texts.getFirst(), values));
    }
    refuseAutoIncrement(client);
    List<Text> sql = keys != null && keys.replaces() && filled != null ? filled : texts;
    int first = node(0, client, keys);
    int[] nodes = null;
    for (int row = 1; row < rows.size(); row++) {
      int node = node(row, client, keys);
      if (nodes == null && node != first) {
        nodes = new int[rows.size()];
        Arrays.fill(nodes, 0, row, first);
      }
      if (nodes != null) {
        nodes[row] = node;
      }
    }
    if (together != null && rows.size() > 1 && (nodes != null || checked != null)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(together.construct(), together.wayOut());
    }
    var generated =
        new BoundPlan.GeneratedKey(
            keys == null ? 0 : keys.first(), updates && rows.size() == 1, isNumbered);
    if (checked != null) {
      int[] own = nodes == null ? new int[rows.size()] : nodes;
      if (nodes == null) {
        Arrays.fill(own, first);
      }
      PlanNode.Change change = checked(checked, sql, own, values, client, keys);
      return new BoundPlan.Merged(returning == null ? change : returning.of(change), generated);
    }
    boolean asksForKeys = returning != null && databaseKeys;
    boolean mayLeaveOut = ignores && rows.size() > 1 && generated.first() != 0;
    if (nodes == null && !asksForKeys && !mayLeaveOut) {
      return new BoundPlan.Single(whole(sql.get(first), values), generated);
    }
    if (nodes == null) {
      nodes = new int[rows.size()];
      Arrays.fill(nodes, first);
    }
    PlanNode.Write split = split(sql, nodes, values);
    if (mayLeaveOut && keys != null && returning == null) {
      return new BoundPlan.Merged(split.with(made(keys, nodes)));
    }
    return new BoundPlan.Merged(returning == null ? split : returning.of(split), generated);
  }

  /** Generators count upwards: the least of the keys that are there is that of the first row. */
  private PlanNode.MadeKeys made(GeneratedKeys keys, int[] nodes) {
    var questions = new TreeMap<Integer, SqlBuffer>();
    for (int row = 0; row < nodes.length; row++) {
      if (!keys.isMade(row)) {
        continue;
      }
      SqlBuffer question = questions.get(nodes[row]);
      if (question == null) {
        question = new SqlBuffer(64).append(least.get(nodes[row]));
        questions.put(nodes[row], question);
      } else {
        question.append(COMMA);
      }
      question.append(SqlLiterals.of(keys.keys()[row]));
    }
    var all = new ArrayList<ShardQuery>();
    questions.forEach(
        (node, question) ->
            all.add(
                ShardQuery.text(
                    nodesOf.get(node).dataSource(),
                    question.append(RowTarget.Keys.behindLeast()).toByteArray())));
    return new PlanNode.MadeKeys(keys.first(), all, updates);
  }

  private void refuseAutoIncrement(SlotValues client) {
    if (autoIncrement == null) {
      return;
    }
    for (int row = 0; row < rows.size(); row++) {
      RowValue value = rows.get(row, autoIncrement.column());
      autoIncrement.refuse(value == null ? SqlValue.Null.NULL : value.bind(client));
    }
  }

  private int node(int row, SlotValues client, @Nullable GeneratedKeys keys) {
    Wish.requireWanted();
    return placement.node(
        column -> {
          if (key != null && keys != null && key.column().equals(column)) {
            return keys.keys()[row];
          }
          RowValue value = rows.get(row, column);
          SqlValue given = value == null ? SqlValue.Null.NULL : value.bind(client);
          boolean isNull = value != RowValue.Default.DEFAULT && given == SqlValue.Null.NULL;
          if (isNull && notNull.contains(column)) {
            throw ErrorCatalogue.NOT_NULL.refuse(column);
          }
          return given;
        });
  }

  private PlanNode.Change checked(
      CheckedKeys checks,
      List<Text> sql,
      int[] nodes,
      SlotValues values,
      SlotValues client,
      @Nullable GeneratedKeys keys) {
    PlanNode.Write split = split(sql, nodes, values);
    boolean alone = rows.size() == 1;
    PlanNode.Verb one = ignores ? PlanNode.Verb.INSERT_IGNORE : PlanNode.Verb.INSERT;
    return new PlanNode.CheckedInsert(
        alone ? new PlanNode.Write(split.queries(), PlanNode.Summing.SUM, true) : split,
        checks.check(List.of(), !ignores && !replaces && !updates),
        new OneByOne(checks, sql, nodes, values, client, keys),
        alone ? PlanNode.Verb.INSERT_ROW : one,
        replaces,
        updates);
  }

  /** The rows of one execution. */
  private final class OneByOne implements CheckedRows {

    private final CheckedKeys checks;
    private final List<Text> sql;
    private final int[] nodes;
    private final SlotValues values;
    private final SlotValues client;
    private final @Nullable GeneratedKeys keys;

    OneByOne(
        CheckedKeys checks,
        List<Text> sql,
        int[] nodes,
        SlotValues values,
        SlotValues client,
        @Nullable GeneratedKeys keys) {
      this.checks = checks;
      this.sql = sql;
      this.nodes = nodes;
      this.values = values;
      this.client = client;
      this.keys = keys;
    }

    @Override
    public byte @Nullable [] condition(int row, int number) {
      boolean made = key != null && key.isWanted(given(row, key.column(), true));
      return checks.condition(
          number,
          column ->
              key != null && keys != null && key.column().equals(column)
                  ? keys.keys()[row]
                  : given(row, column, false),
          made);
    }

    /** Null for a default, unless the key's column is meant, which is NULL then. */
    private @Nullable SqlValue given(int row, String column, boolean isKey) {
      RowValue value = rows.get(row, column);
      return value == null || value == RowValue.Default.DEFAULT
          ? isKey ? SqlValue.Null.NULL : null
          : value.bind(client);
    }

    @Override
    public int count() {
      return nodes.length;
    }

    @Override
    public int own(int row) {
      return nodes[row];
    }

    @Override
    public ShardQuery statement(int row, int node) {
      return queryFor(sql.get(node), new int[] {row + 1}, values);
    }
  }

  private PlanNode.Write split(List<Text> sql, int[] nodes, SlotValues values) {
    var queries = new ArrayList<ShardQuery>();
    var numbers = new ArrayList<int[]>();
    var all = new ArrayList<Integer>();
    int[][] byNode = byNode(nodes, sql.size());
    for (int node = 0; node < sql.size(); node++) {
      if (byNode[node].length > 0) {
        all.add(queries.size());
        queries.add(queryFor(sql.get(node), byNode[node], values));
        numbers.add(byNode[node]);
      }
    }
    return new PlanNode.Write(
        queries, all, true, ignores ? PlanNode.Verb.INSERT_IGNORE : PlanNode.Verb.INSERT, numbers);
  }

  /** Numbers of the rows of each node; the first row is 1. */
  private static int[][] byNode(int[] nodes, int count) {
    var sizes = new int[count];
    for (int node : nodes) {
      sizes[node]++;
    }
    var rows = new int[count][];
    for (int node = 0; node < count; node++) {
      rows[node] = new int[sizes[node]];
    }
    for (int row = nodes.length - 1; row >= 0; row--) {
      rows[nodes[row]][--sizes[nodes[row]]] = row + 1;
    }
    return rows;
  }

  private ShardQuery whole(Text text, SlotValues values) {
    AimedText whole = text.whole();
    return whole == null
        ? queryFor(text, IntStream.rangeClosed(1, rows.size()).toArray(), values)
        : whole.render(values);
  }

  private ShardQuery queryFor(Text text, int[] rows, SlotValues values) {
    if (rows.length == 1 && text.query() != null && queried.get(rows[0] - 1)) {
      return lone(text, text.query(), rows[0] - 1, values);
    }
    int length = 2 + text.head().length(values) + text.tail().length(values);
    int count = text.head().parameters().length + text.tail().parameters().length;
    for (int row : rows) {
      length += text.rows().length(row - 1, values) + COMMA.length;
      count += text.rows().parameters(row - 1);
    }
    var out = new SqlBuffer(length);
    var parameters = new int[count];
    int done = append(text.head(), values, out, parameters, 0);
    for (int i = 0; i < rows.length; i++) {
      if (i == 0) {
        out.append((byte) ' ');
      } else {
        out.append(COMMA);
      }
      done = append(text.rows(), rows[i] - 1, values, out, parameters, done);
    }
    if (!text.tail().isEmpty()) {
      out.append((byte) ' ');
      append(text.tail(), values, out, parameters, done);
    }
    values.made(out.length());
    return new ShardQuery(text.head().dataSource(), out.take(), parameters);
  }

  private static ShardQuery lone(Text text, AimedText head, int row, SlotValues values) {
    var out = new SqlBuffer(64);
    var written = new SqlBuffer(text.rows().length(row, values));
    int count = head.parameters().length + text.rows().parameters(row);
    var parameters = new int[count + text.tail().parameters().length];
    int done = append(head, values, out, parameters, 0);
    done = append(text.rows(), row, values, written, parameters, done);
    RowTarget.appendQuery(out, written.toByteArray());
    if (!text.tail().isEmpty()) {
      out.append((byte) ' ');
      append(text.tail(), values, out, parameters, done);
    }
    values.made(out.length());
    return new ShardQuery(text.head().dataSource(), out.take(), parameters);
  }

  /** Appends a piece and its parameters, of which {@code done} are there; tells how many are. */
  private static int append(
      AimedText piece, SlotValues values, SqlBuffer out, int[] parameters, int done) {
    piece.appendTo(out, values);
    int[] own = piece.parameters();
    System.arraycopy(own, 0, parameters, done, own.length);
    return done + own.length;
  }

  private static int append(
      AimedRows rows, int row, SlotValues values, SqlBuffer out, int[] parameters, int done) {
    rows.appendTo(row, out, values);
    rows.parameters(row, parameters, done);
    return done + rows.parameters(row);
  }
}
