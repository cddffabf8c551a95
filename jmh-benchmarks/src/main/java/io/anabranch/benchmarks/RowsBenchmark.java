package io.anabranch.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Rows of the merge lane, as sysbench's table has them: two integers and two strings. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowsBenchmark {

  private static final int COLUMNS = 4;

  private final List<ColumnType> types =
      List.of(ColumnType.LONG, ColumnType.LONG, ColumnType.STRING, ColumnType.STRING);
  private final byte[][] texts = {
    "498731".getBytes(US_ASCII),
    "501234".getBytes(US_ASCII),
    "0123456789-".repeat(11).getBytes(US_ASCII),
    "0123456789-".repeat(5).getBytes(US_ASCII)
  };
  private final CellConversion[] conversions =
      types.stream()
          .map(type -> new CellConversion(type, 0, 0, 120))
          .toArray(CellConversion[]::new);
  private final TextRowReader textReader = new TextRowReader(COLUMNS);
  private final BinaryRowReader binaryReader = new BinaryRowReader(types);
  private final TextRowWriter textWriter = new TextRowWriter();
  private final BinaryRowWriter binaryWriter = new BinaryRowWriter(COLUMNS);
  private final byte[] textRow = encodeText();
  private final byte[] binaryRow = encodeBinary();

  @Benchmark
  public final byte[] encodeText() {
    textWriter.begin();
    for (byte[] text : texts) {
      textWriter.add(text);
    }
    return textWriter.finish();
  }

  /** From texts, as the rows are that the proxy computes. */
  @Benchmark
  public final byte[] encodeBinary() {
    binaryWriter.begin();
    for (int i = 0; i < COLUMNS; i++) {
      conversions[i].addAsBinary(binaryWriter, texts[i], 0, texts[i].length);
    }
    return binaryWriter.finish();
  }

  /** What a merge does that leaves out a column. */
  @Benchmark
  public byte[] trimText() {
    textReader.read(textRow);
    textWriter.begin();
    for (int i = 1; i < COLUMNS; i++) {
      textWriter.copy(textReader, i);
    }
    return textWriter.finish();
  }

  /** The offsets of a binary row's cells. */
  @Benchmark
  public int readBinary() {
    binaryReader.read(binaryRow);
    return binaryReader.offset(COLUMNS - 1);
  }
}
