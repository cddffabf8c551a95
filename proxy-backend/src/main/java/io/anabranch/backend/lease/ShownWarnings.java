package io.anabranch.backend.lease;

import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads what a connection's last statement warned of. Blocks. */
public final class ShownWarnings {

  private static final byte[] SHOW = "SHOW WARNINGS".getBytes(StandardCharsets.US_ASCII);
  private static final int COLUMNS = 3;

  private ShownWarnings() {}

  /** Level, code and message of each, the latter with logical names. */
  public static List<List<String>> read(Lease lease, NameMapping names, Charset charset) {
    var rows = new ArrayList<List<String>>();
    read(lease, names, charset, rows::add);
    return rows;
  }

  /**
   * @param charset of the connection's answers
   * @param each takes one after the other
   * @throws io.anabranch.backend.shard.ShardException as the connection does
   */
  public static ShardOutcome read(
      Lease lease, NameMapping names, Charset charset, Consumer<List<String>> each) {
    var reader = new TextRowReader(COLUMNS);
    ShardQuery query = ShardQuery.text(lease.dataSource(), SHOW);
    try (ShardCursor cursor = lease.shard().query(query)) {
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        var cells = new ArrayList<String>(COLUMNS);
        for (int i = 0; i < COLUMNS; i++) {
          cells.add(new String(row, reader.offset(i), reader.length(i), charset));
        }
        String said = LogicalNames.ofSchema(cells.getLast(), names, lease.shard().database());
        cells.set(COLUMNS - 1, LogicalNames.in(said, names));
        each.accept(cells);
      }
      return cursor.outcome();
    }
  }
}
