package io.anabranch.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anabranch.backend.merge.RouteSources;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Sorted streams of several data sources become one, rows of a number and a text of 40 bytes: rows
 * per second of one core, without reading them from databases and sending them to a client.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class MergeBenchmark {

  private static final int ROWS = 1 << 18;
  private static final int UTF8 = 45;
  private static final int BINARY = 63;
  private static final byte[] NO_PADDING = {};

  /** How many streams there are. */
  @Param({"2", "8", "64"})
  public int streams;

  /** The protocol's form of the rows. */
  @Param({"TEXT", "BINARY"})
  public RowFormat format = RowFormat.TEXT;

  private final List<ResultColumn> columns =
      List.of(
          column("id", ColumnType.LONGLONG, BINARY), column("pad", ColumnType.VAR_STRING, UTF8));
  private final List<byte[][]> sources = new ArrayList<>();

  private static ResultColumn column(String name, ColumnType type, int collation) {
    return new ResultColumn("shop", "t", "t", name, name, collation, 160, type.code(), 0, 0);
  }

  /** Each stream has every n-th number. */
  @Setup
  public void fill() {
    sources.clear();
    byte[] pad = "0123456789".repeat(4).getBytes(US_ASCII);
    var text = new TextRowWriter();
    var binary = new BinaryRowWriter(columns.size());
    for (int source = 0; source < streams; source++) {
      byte[][] rows = new byte[ROWS / streams][];
      for (int i = 0; i < rows.length; i++) {
        long number = (long) i * streams + source;
        if (format == RowFormat.TEXT) {
          text.begin();
          text.add(Long.toString(number).getBytes(US_ASCII));
          text.add(pad);
          rows[i] = text.finish();
        } else {
          rows[i] = binaryRow(binary, number, pad);
        }
      }
      sources.add(rows);
    }
  }

  private static byte[] binaryRow(BinaryRowWriter out, long number, byte[] pad) {
    byte[] cell =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    out.begin();
    out.addCell(cell, 0, cell.length);
    byte[] text = ByteBuffer.allocate(1 + pad.length).put((byte) pad.length).put(pad).array();
    out.addCell(text, 0, text.length);
    return out.finish();
  }

  /** ORDER BY a number. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long ordered() {
    return read(new PlanNode.OrderedMerge(route(), List.of(key(0, -1))));
  }

  /** GROUP BY a number, with one more column and a MAX; each row is a group. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long grouped() {
    var first = new Aggregate(Aggregate.Function.FIRST, 1, -1, NO_PADDING);
    var max = new Aggregate(Aggregate.Function.MAX, 0, -1, NO_PADDING);
    return read(
        new PlanNode.GroupedAggregate(
            new PlanNode.OrderedMerge(route(), List.of(key(0, -1))),
            List.of(key(0, -1)),
            List.of(max, first)));
  }

  private PlanNode.Route route() {
    return new PlanNode.Route(List.of(ShardQuery.text("ds", NO_PADDING)), columns);
  }

  private static SortKey key(int column, int weight) {
    return new SortKey(column, weight, NO_PADDING, false);
  }

  private long read(PlanNode plan) {
    long bytes = 0;
    var tree = new StreamTree(format, new RowBudget(0), new Prepared());
    try (RowStream rows = tree.build(plan)) {
      for (byte[] row = rows.next(); row != null; row = rows.next()) {
        bytes += row.length;
      }
    }
    return bytes;
  }

  private final class Prepared implements RouteSources {

    @Override
    public List<RowStream> together(PlanNode.Route route) {
      return sources.stream().<RowStream>map(rows -> new ArrayRows(columns, rows)).toList();
    }

    @Override
    public List<RowStream> inTurn(PlanNode.Route route) {
      return together(route);
    }

    @Override
    public RowStream kept(PlanNode node, RowStream rows) {
      throw new IllegalArgumentException("nothing is checked here");
    }

    @Override
    public RowStream staged(PlanNode.Stage stage, StreamTree inputs) {
      throw new IllegalArgumentException("nothing is staged here");
    }
  }

  private static final class ArrayRows implements RowStream {

    private final List<ResultColumn> columns;
    private final byte[][] rows;
    private int next;

    ArrayRows(List<ResultColumn> columns, byte[][] rows) {
      this.columns = columns;
      this.rows = rows;
    }

    @Override
    public List<ResultColumn> columns() {
      return columns;
    }

    @Override
    public byte @Nullable [] next() {
      return next < rows.length ? rows[next++] : null;
    }

    @Override
    public void close() {
      next = rows.length;
    }
  }
}
