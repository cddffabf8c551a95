package io.anabranch.backend.row;

import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;

/** Which of the protocol's two forms rows have. */
public enum RowFormat {
  TEXT,
  BINARY;

  public static RowFormat of(boolean binary) {
    return binary ? BINARY : TEXT;
  }

  public RowReader reader(List<ResultColumn> columns) {
    if (this == TEXT) {
      return new TextRowReader(columns.size());
    }
    var types = new ArrayList<ColumnType>(columns.size());
    for (ResultColumn column : columns) {
      types.add(ColumnType.of(column.type()));
    }
    return new BinaryRowReader(types);
  }
}
