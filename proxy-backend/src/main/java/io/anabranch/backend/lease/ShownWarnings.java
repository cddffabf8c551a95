package io.anabranch.backend.lease;

import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Reads what a connection's last statement warned of. Blocks. */
public final class ShownWarnings {

  private static final byte[] SHOW = "SHOW WARNINGS".getBytes(StandardCharsets.US_ASCII);
  private static final int COLUMNS = 3;

  private ShownWarnings() {}

  /** Level, code and message of each, the latter with logical names. */
  public static List<List<String>> read(Lease lease, NameMapping names) {
    var rows = new ArrayList<List<String>>();
    read(lease, names, rows::add);
    return rows;
  }

  /**
   * @param each takes one after the other
   * @throws io.anabranch.backend.shard.ShardException as the connection does
   */
  public static ShardOutcome read(Lease lease, NameMapping names, Consumer<List<String>> each) {
    var reader = new TextRowReader(COLUMNS);
    ShardQuery query = ShardQuery.text(lease.dataSource(), SHOW);
    try (ShardCursor cursor = lease.shard().query(query)) {
      Charset[] charsets = charsets(cursor.columns(), lease.applied().resultCharset());
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        var cells = new ArrayList<String>(COLUMNS);
        for (int i = 0; i < COLUMNS; i++) {
          cells.add(new String(row, reader.offset(i), reader.length(i), charsets[i]));
        }
        String said = LogicalNames.ofSchema(cells.getLast(), names, lease.shard().database());
        cells.set(COLUMNS - 1, LogicalNames.in(said, names));
        each.accept(cells);
      }
      return cursor.outcome();
    }
  }

  /**
   * What the cells are in: a SET whose warnings they are may have changed what the connection
   * answers in.
   */
  private static Charset[] charsets(List<ResultColumn> columns, Charset otherwise) {
    var charsets = new Charset[COLUMNS];
    Arrays.fill(charsets, otherwise);
    for (int i = 0; i < Math.min(COLUMNS, columns.size()); i++) {
      Collation told = Collation.byId(columns.get(i).collation());
      Charset known = told == null || told.id() == Collation.BINARY ? null : told.charset();
      if (known != null) {
        charsets[i] = known;
      }
    }
    return charsets;
  }
}
