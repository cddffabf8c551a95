package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of CHECKSUM TABLE: what servers tell of a table's parts, added up. */
final class Checksums implements RowStream {

  /** Servers count so. */
  private static final long MODULUS = 1L << 32;

  /** One server that does not tell a number: all of it is not known. */
  private static final long UNKNOWN = -1;

  private final RowStream input;
  private final PlanNode.Checksums sums;
  private final RowReader row;
  private final RowEncoder encoder;
  private final RowFormat format;
  private @Nullable Deque<byte[]> rows;

  Checksums(RowStream input, PlanNode.Checksums sums, RowFormat format) {
    this.input = input;
    this.sums = sums;
    this.format = format;
    row = format.reader(input.columns());
    encoder = new RowEncoder(input.columns(), format);
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    Deque<byte[]> all = rows;
    if (all == null) {
      all = summed();
      rows = all;
    }
    return all.poll();
  }

  private Deque<byte[]> summed() {
    Map<String, Long> byName = new LinkedHashMap<>();
    for (byte[] payload = input.next(); payload != null; payload = input.next()) {
      row.read(payload);
      String told = new String(row.payload(), row.offset(0), row.length(0), StandardCharsets.UTF_8);
      long number = row.isNull(1) ? UNKNOWN : number();
      byName.merge(LogicalNames.in(told, sums.names()), number, Checksums::sum);
    }
    var encoded = new ArrayDeque<byte[]>();
    for (String table : sums.tables()) {
      String ending = "." + table.toLowerCase(Locale.ROOT);
      byName.forEach(
          (name, sum) -> {
            if (name.toLowerCase(Locale.ROOT).endsWith(ending)) {
              encoded.add(encoded(name, sum));
            }
          });
    }
    return encoded;
  }

  private static long sum(long one, long other) {
    return one == UNKNOWN || other == UNKNOWN ? UNKNOWN : (one + other) % MODULUS;
  }

  private byte[] encoded(String name, long sum) {
    encoder.begin();
    encoder.addText(name);
    if (sum == UNKNOWN) {
      encoder.addNull();
    } else {
      encoder.addText(Long.toString(sum));
    }
    return encoder.finish();
  }

  private long number() {
    byte[] bytes = row.payload();
    int from = row.offset(1);
    int length = row.length(1);
    if (format == RowFormat.TEXT) {
      return Long.parseLong(new String(bytes, from, length, StandardCharsets.US_ASCII));
    }
    long number = 0;
    for (int i = length - 1; i >= 0; i--) {
      number = (number << 8) | (bytes[from + i] & 0xFF);
    }
    return number;
  }

  @Override
  public void close() {
    input.close();
  }
}
