package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What servers tell of tables: in logical names, each row once. */
final class Reported implements RowStream {

  private static final int VARCHAR = 15;
  private static final int FIRST_BLOB = 249;
  private static final int STRING = 254;

  private final RowStream input;
  private final NameMapping names;
  private final RowReader row;
  private final RowEncoder encoder;
  private final Set<ByteBuffer> told = new HashSet<>();

  Reported(RowStream input, NameMapping names, RowFormat format) {
    this.input = input;
    this.names = names;
    row = format.reader(input.columns());
    encoder = new RowEncoder(input.columns(), format);
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    for (byte[] payload = input.next(); payload != null; payload = input.next()) {
      byte[] logical = logical(payload);
      if (told.add(ByteBuffer.wrap(logical))) {
        return logical;
      }
    }
    return null;
  }

  private byte[] logical(byte[] payload) {
    row.read(payload);
    encoder.begin();
    for (int i = 0; i < input.columns().size(); i++) {
      int type = input.columns().get(i).type();
      boolean isText = type == VARCHAR || (type >= FIRST_BLOB && type <= STRING);
      if (row.isNull(i) || !isText) {
        encoder.copy(row, i);
      } else {
        String cell =
            new String(row.payload(), row.offset(i), row.length(i), StandardCharsets.UTF_8);
        encoder.addText(LogicalNames.in(cell, names));
      }
    }
    return encoder.finish();
  }

  @Override
  public void close() {
    input.close();
  }
}
