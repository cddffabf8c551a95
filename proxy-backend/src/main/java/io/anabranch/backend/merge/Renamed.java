package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.syntax.qualifier.SchemaText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a server tells of a schema that clients call otherwise. */
final class Renamed implements RowStream {

  private final RowStream input;
  private final PlanNode.Renamed names;
  private final NameMapping mapping;
  private final RowReader row;
  private final RowEncoder encoder;

  Renamed(RowStream input, PlanNode.Renamed names, RowFormat format) {
    this.input = input;
    this.names = names;
    this.mapping = NameMapping.ofSchema(names.logical());
    row = format.reader(input.columns());
    encoder = new RowEncoder(input.columns(), format);
  }

  @Override
  public List<ResultColumn> columns() {
    return names.columns(input.columns());
  }

  @Override
  public byte @Nullable [] next() {
    byte[] payload = input.next();
    if (payload == null) {
      return null;
    }
    row.read(payload);
    encoder.begin();
    for (int i = 0; i < input.columns().size(); i++) {
      String label = input.columns().get(i).name();
      PlanNode.Renamed.Cells cells = PlanNode.Renamed.cells(label);
      if (row.isNull(i) || cells == PlanNode.Renamed.Cells.OTHER) {
        encoder.copy(row, i);
      } else {
        encoder.addText(cell(cells, text(i)));
      }
    }
    return encoder.finish();
  }

  private String cell(PlanNode.Renamed.Cells cells, String text) {
    String actual = names.actual();
    return switch (cells) {
      case NAME -> text.equals(actual) ? names.logical() : text;
      case TABLE ->
          text.startsWith(actual + ".") ? names.logical() + text.substring(actual.length()) : text;
      case MESSAGE -> LogicalNames.ofSchema(text, mapping, actual);
      case STATEMENT -> SchemaText.renamed(text, actual, names.logical());
      case OTHER -> text;
    };
  }

  private String text(int column) {
    return new String(
        row.payload(), row.offset(column), row.length(column), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    input.close();
  }
}
