package io.anabranch.rules.planner.insert;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.KeyCheck;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.planner.query.RowSource;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.task.ReturningClause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * INSERT or REPLACE … SELECT whose rows are read and then placed.
 *
 * @param returning rows that it answers with; null: none
 * @param texts by node
 * @param target without its statements
 * @param strict whether what the query warns of is an error
 * @param lone whether a row that is alone in its statement is written as a query
 * @param beside how many rows to insert each one of the query has, side by side
 * @param updates whether it says what becomes of rows that are there
 * @param check of keys that no other node may have; null: nothing is checked
 */
record InsertQueryPlan(
    StatementKind kind,
    NameMapping names,
    @Nullable ReturningClause returning,
    RowSource rows,
    List<Text> texts,
    RowTarget target,
    PlanNode.Summing summing,
    PlanNode.Verb verb,
    boolean strict,
    boolean lone,
    int beside,
    boolean updates,
    @Nullable KeyCheck check)
    implements StatementPlan {

  private static final byte[] VALUES = ascii(" VALUES ");
  private static final byte[] NO_ROWS = ascii(" SELECT ");
  private static final byte[] NULL = ascii("NULL");
  private static final byte[] FURTHER_NULL = ascii(", NULL");
  private static final byte[] FROM_NOTHING = ascii(" FROM DUAL WHERE FALSE");

  InsertQueryPlan {
    texts = List.copyOf(texts);
  }

  @Override
  public boolean isLasting() {
    return rows.isLasting();
  }

  @Override
  public List<PassedOver> passedOver() {
    return rows.plan().passedOver();
  }

  /** What stands in front of the rows and behind them. */
  record Text(AimedText head, AimedText tail) {

    RowTarget.Around around(SlotValues values, boolean lone) {
      var front = new SqlBuffer(64);
      head.appendTo(front, values);
      byte[] query = lone ? front.toByteArray() : null;
      front.append(VALUES);
      var end = new SqlBuffer(16);
      appendTail(end, values);
      return new RowTarget.Around(
          head.dataSource(), front.toByteArray(), query, end.toByteArray(), parameters());
    }

    /** The statement with a query that gives no rows. */
    ShardQuery withoutRows(SlotValues values, int columns) {
      var sql = new SqlBuffer(64);
      head.appendTo(sql, values);
      sql.append(NO_ROWS);
      for (int i = 0; i < columns; i++) {
        sql.append(i == 0 ? NULL : FURTHER_NULL);
      }
      sql.append(FROM_NOTHING);
      appendTail(sql, values);
      return new ShardQuery(head.dataSource(), sql.toByteArray(), parameters());
    }

    private void appendTail(SqlBuffer out, SlotValues values) {
      if (!tail.isEmpty()) {
        out.append((byte) ' ');
        tail.appendTo(out, values);
      }
    }

    private int[] parameters() {
      int[] all =
          Arrays.copyOf(head.parameters(), head.parameters().length + tail.parameters().length);
      System.arraycopy(
          tail.parameters(), 0, all, head.parameters().length, tail.parameters().length);
      return all;
    }
  }

  /** Names of the tables that are read and of the one that is written. */
  static NameMapping names(
      String database, List<DataNode> nodes, String table, StatementPlan query) {
    var tables = new HashMap<>(query.names().tables());
    nodes.forEach(node -> tables.put(node.table(), table));
    return new NameMapping(database, tables);
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public int[] guardedSlots() {
    int[] guarded = rows.guardedSlots();
    return returning == null
        ? guarded
        : IntStream.concat(IntStream.of(guarded), IntStream.of(returning.guardedSlots())).toArray();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    var around = new ArrayList<RowTarget.Around>(texts.size());
    for (Text text : texts) {
      around.add(text.around(values, lone));
    }
    var write =
        new PlanNode.RowWrite(
            rows.rows(values),
            List.of(target.with(around)),
            summing,
            verb,
            strict,
            beside,
            updates && returning == null
                ? texts.getFirst().withoutRows(values, target.columns().length)
                : null,
            check);
    return new BoundPlan.Merged(returning == null ? write : returning.of(write));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
