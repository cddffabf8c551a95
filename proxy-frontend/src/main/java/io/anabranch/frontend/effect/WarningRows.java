package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Reads what a connection's last statement warned of. Blocks. */
final class WarningRows {

  private static final byte[] SHOW = "SHOW WARNINGS".getBytes(StandardCharsets.US_ASCII);
  private static final int COLUMNS = 3;
  private static final int MESSAGE = 2;

  private WarningRows() {}

  /** Level, code and message, the latter with logical names. */
  static List<List<String>> read(Lease lease, NameMapping names, Charset charset) {
    return read(lease, names, charset, _ -> {});
  }

  /**
   * @param status takes the flags of the answer: an error has none
   */
  static List<List<String>> read(
      Lease lease, NameMapping names, Charset charset, IntConsumer status) {
    var rows = new ArrayList<List<String>>();
    var reader = new TextRowReader(COLUMNS);
    ShardQuery query = ShardQuery.text(lease.dataSource(), SHOW);
    try (ShardCursor cursor = lease.shard().query(query)) {
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        var cells = new ArrayList<String>(COLUMNS);
        for (int i = 0; i < COLUMNS; i++) {
          String cell = new String(row, reader.offset(i), reader.length(i), charset);
          cells.add(i == MESSAGE ? logical(cell, lease, names) : cell);
        }
        rows.add(cells);
      }
      status.accept(cursor.outcome().statusFlags());
    }
    return rows;
  }

  private static String logical(String message, Lease lease, NameMapping names) {
    return LogicalNames.in(LogicalNames.ofSchema(message, names, lease.shard().database()), names);
  }
}
