package io.anabranch.backend.execute.rows;

import io.anabranch.backend.row.RowCells;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredIn;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The statements that rows become for one {@link RowTarget}. Used by the thread that reads. */
public final class RowBatches {

  private static final int MOST_BYTES = 512 << 10;

  /** Of an identity in a set, besides its text. */
  private static final int IDENTITY_BYTES = 96;

  /**
   * A statement.
   *
   * @param sql number in the spool
   * @param numbers of its rows, in the spool
   * @param last number of its last row
   * @param least asks for the least of the numbers that were made for it which is there, in the
   *     spool; -1: none was, or no row is left out
   */
  public record Batch(RowTarget.Around around, int sql, int numbers, int last, int least) {

    /** Numbers of its rows among all, from 1. */
    public int[] rows(RowSpool spool) {
      IntBuffer numbered = ByteBuffer.wrap(spool.get(numbers)).asIntBuffer();
      int[] rows = new int[numbered.remaining()];
      numbered.get(rows);
      return rows;
    }

    public ShardQuery query(RowSpool spool) {
      return new ShardQuery(around.dataSource(), spool.get(sql), around.parameters());
    }

    /** Null: no number was made, or no row is left out. */
    public @Nullable ShardQuery least(RowSpool spool) {
      return least < 0 ? null : ShardQuery.text(around.dataSource(), spool.get(least));
    }
  }

  private final RowTarget target;
  private final RowSpool spool;
  private final boolean mayLeaveOut;
  private final @Nullable SqlBuffer[] open;

  /** The questions for the numbers that were made for statements that are not at their end. */
  private final @Nullable SqlBuffer[] least;

  private final List<IntStream.Builder> numbers = new ArrayList<>();
  private final int[] rowsOf;

  /** Whether a statement's first row may be written as a query, where it stays the only one. */
  private final boolean[] selectable;

  /** What is charged for each statement that is not at its end, in bytes. */
  private final int[] held;

  private int number;
  private final List<Batch> batches = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private long firstKey;
  private int last;

  /** Of statements that do the same to each row. */
  public RowBatches(RowTarget target, RowSpool spool) {
    this(target, spool, false);
  }

  /**
   * @param mayLeaveOut whether rows that are there already are not inserted
   */
  public RowBatches(RowTarget target, RowSpool spool, boolean mayLeaveOut) {
    this.target = target;
    this.spool = spool;
    this.mayLeaveOut = mayLeaveOut;
    this.open = new SqlBuffer[target.statements().size()];
    this.least = new SqlBuffer[open.length];
    this.rowsOf = new int[open.length];
    this.selectable = new boolean[open.length];
    this.held = new int[open.length];
    target.statements().forEach(statement -> numbers.add(IntStream.builder()));
  }

  /** Adds the row that {@code row} points at. */
  public void add(RowCells row) {
    number++;
    if (!isNew(row)) {
      return;
    }
    SqlValue key = key(row);
    int node = target.placer().node(column -> value(row, column, key));
    last = node;
    if (node == RowPlacer.EVERYWHERE) {
      addToAll(row, key);
    } else if (node != RowPlacer.NOWHERE) {
      add(row, key, node);
    }
  }

  /** Whether the row counts: false for the second of rows that are to count once. */
  public boolean isNew(RowCells row) {
    if (target.onceBy().length == 0) {
      return true;
    }
    String identity = identity(row);
    boolean isNew = seen.add(identity);
    if (isNew) {
      spool.hold(IDENTITY_BYTES + identity.length());
    }
    return isNew;
  }

  private String identity(RowCells row) {
    var text = new SqlBuffer(32);
    for (int column : target.onceBy()) {
      row.append(text, column);
      text.append((byte) ',');
    }
    return new String(text.toByteArray(), StandardCharsets.ISO_8859_1);
  }

  /** Adds it to the statements of one node. */
  public void add(RowCells row, int node) {
    add(row, null, node);
  }

  private @Nullable SqlValue key(RowCells row) {
    RowTarget.Keys keys = target.keys();
    if (keys == null) {
      return null;
    }
    boolean absent = keys.column() >= row.width();
    SqlValue key = keys.source().fill(absent ? SqlValue.Null.NULL : row.value(keys.column()));
    if (firstKey == 0 && key instanceof SqlValue.Int number) {
      firstKey = number.value();
    }
    return key;
  }

  private SqlValue value(RowCells row, int column, @Nullable SqlValue key) {
    return key != null && isKey(column) ? key : row.value(column, storedIn(column));
  }

  /** What kind of column a cell of the rows comes into. */
  private StoredIn storedIn(int column) {
    int[] columns = target.columns();
    boolean isInOrder = column < columns.length && columns[column] == column;
    return isInOrder ? target.stored(column) : StoredIn.ANY;
  }

  private boolean isKey(int column) {
    RowTarget.Keys keys = target.keys();
    return keys != null && keys.column() == column;
  }

  private void add(RowCells row, @Nullable SqlValue key, int node) {
    if (append(row, key, node)) {
      close(node);
    }
  }

  /** All copies get the same statements. */
  private void addToAll(RowCells row, @Nullable SqlValue key) {
    boolean isFull = false;
    for (int node = 0; node < open.length; node++) {
      isFull |= append(row, key, node);
    }
    for (int node = 0; isFull && node < open.length; node++) {
      close(node);
    }
  }

  /** Whether the node's statement ends behind the row. */
  private boolean append(RowCells row, @Nullable SqlValue key, int node) {
    SqlBuffer out = open[node];
    if (out == null) {
      out = new SqlBuffer(1 << 10).append(target.statements().get(node).head());
      open[node] = out;
    } else {
      out.append(target.separator());
    }
    int[] columns = target.columns();
    for (int i = 0; i < columns.length; i++) {
      out.append(target.pieces().get(i));
      if (key != null && isKey(columns[i])) {
        out.append(SqlLiterals.of(key));
      } else {
        row.append(out, columns[i], target.stored(i));
      }
    }
    out.append(target.pieces().getLast());
    ask(node, key);
    numbers.get(node).add(number);
    rowsOf[node]++;
    if (rowsOf[node] == 1) {
      selectable[node] = row.isSelectable();
    }
    return !holds(node, out) || out.length() >= MOST_BYTES || rowsOf[node] >= target.mostRows();
  }

  /** Notes a number that was made. */
  private void ask(int node, @Nullable SqlValue key) {
    RowTarget.Keys keys = target.keys();
    if (!mayLeaveOut || keys == null || !(key instanceof SqlValue.Int)) {
      return;
    }
    SqlBuffer question = least[node];
    if (question == null) {
      question = new SqlBuffer(1 << 7).append(keys.least().get(node));
      least[node] = question;
    } else {
      question.append((byte) ',');
    }
    question.append(SqlLiterals.of(key));
  }

  /** Whether there is memory for what the statement has grown to; otherwise it ends here. */
  private boolean holds(int node, SqlBuffer out) {
    SqlBuffer question = least[node];
    int grown = out.array().length + (question == null ? 0 : question.array().length) - held[node];
    if (grown == 0) {
      return true;
    }
    boolean fits = spool.tryHold(grown);
    held[node] += fits ? grown : 0;
    return fits;
  }

  private void close(int node) {
    SqlBuffer out = open[node];
    if (out == null) {
      return;
    }
    RowTarget.Around around = target.statements().get(node);
    int[] rows = numbers.get(node).build().toArray();
    var numbered = ByteBuffer.allocate(rows.length * Integer.BYTES);
    numbered.asIntBuffer().put(rows);
    byte[] query = rows.length == 1 && selectable[node] ? around.query() : null;
    SqlBuffer whole = query == null ? out : lone(around, query, out);
    int sql = spool.add(whole.append(around.tail()).toByteArray());
    SqlBuffer asking = least[node];
    int question =
        asking == null ? -1 : spool.add(asking.append(RowTarget.Keys.behindLeast()).toByteArray());
    batches.add(
        new Batch(around, sql, spool.add(numbered.array()), rows[rows.length - 1], question));
    least[node] = null;
    numbers.set(node, IntStream.builder());
    open[node] = null;
    spool.letGo(held[node]);
    held[node] = 0;
    rowsOf[node] = 0;
  }

  private static SqlBuffer lone(RowTarget.Around around, byte[] query, SqlBuffer values) {
    var out = new SqlBuffer(values.length() + 32).append(query);
    RowTarget.appendQuery(
        out, Arrays.copyOfRange(values.array(), around.head().length, values.length()));
    return out;
  }

  /** All statements by data source, in the order of its name and of the rows. */
  public SortedMap<String, List<Batch>> finish() {
    for (int node = 0; node < open.length; node++) {
      close(node);
    }
    var bySource = new TreeMap<String, List<Batch>>();
    for (Batch batch : batches) {
      bySource.computeIfAbsent(batch.around().dataSource(), source -> new ArrayList<>()).add(batch);
    }
    return bySource;
  }

  /** The node of the row that was added last. */
  public int lastNode() {
    return last;
  }

  /** Whether rows that are there already are not inserted. */
  public boolean mayLeaveOut() {
    return mayLeaveOut;
  }

  /** The first number that was made; 0 if there is none. */
  public long firstKey() {
    return firstKey;
  }
}
