package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces names in the answers of SHOW: whole cells, and within the text of CREATE statements. */
final class MapCells implements RowStream {

  private static final String TABLE = "table";

  private final RowStream input;
  private final boolean[] isMapped;
  private final Map<String, String> replacements;
  private final CreateStatement statement;
  private final RowReader row;
  private final RowEncoder encoder;

  MapCells(RowStream input, PlanNode.MapCells node, RowFormat format) {
    this.input = input;
    replacements = node.replacements();
    statement = new CreateStatement(replacements);
    isMapped = new boolean[input.columns().size()];
    for (int i = 0; i < isMapped.length; i++) {
      isMapped[i] =
          node.columns().isEmpty()
              ? input.columns().get(i).name().equals(TABLE)
              : node.columns().contains(i);
    }
    row = format.reader(input.columns());
    encoder = new RowEncoder(input.columns(), format);
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    byte[] payload = input.next();
    if (payload == null) {
      return null;
    }
    row.read(payload);
    encoder.begin();
    for (int i = 0; i < isMapped.length; i++) {
      String replacement = isMapped[i] && !row.isNull(i) ? replaced(cell(i)) : null;
      if (replacement == null) {
        encoder.copy(row, i);
      } else {
        encoder.addText(replacement);
      }
    }
    return encoder.finish();
  }

  @Override
  public void close() {
    input.close();
  }

  private @Nullable String replaced(String cell) {
    String whole = replacements.get(cell);
    return whole == null && cell.startsWith("CREATE ") ? statement.logical(cell) : whole;
  }

  private String cell(int column) {
    return new String(
        row.payload(), row.offset(column), row.length(column), StandardCharsets.UTF_8);
  }
}
