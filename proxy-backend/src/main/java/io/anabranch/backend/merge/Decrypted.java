package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives cells their values back that are stored encrypted. */
final class Decrypted implements RowStream {

  private final RowStream input;
  private final List<ResultColumn> columns;
  private final PlanNode.Decrypted.@Nullable Cell[] cells;
  private final Encryptor.@Nullable Decryptor[] decryptors;
  private final RowReader row;
  private final RowEncoder encoder;

  Decrypted(RowStream input, PlanNode.Decrypted node, RowFormat format) {
    this.input = input;
    columns = node.columns(input.columns());
    cells = new PlanNode.Decrypted.Cell[columns.size()];
    decryptors = new Encryptor.Decryptor[columns.size()];
    for (PlanNode.Decrypted.Cell cell : node.cells()) {
      Encryptor.Decryptor decryptor = cell.encryptor().decryptor();
      if (decryptor == null || cell.column() >= cells.length) {
        throw ErrorCatalogue.NOT_DECRYPTED.refuse(cell.name(), "there is no way back");
      }
      cells[cell.column()] = cell;
      decryptors[cell.column()] = decryptor;
    }
    row = format.reader(input.columns());
    encoder = new RowEncoder(columns, format);
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public byte @Nullable [] next() {
    byte[] payload = input.next();
    if (payload == null) {
      return null;
    }
    row.read(payload);
    encoder.begin();
    for (int i = 0; i < cells.length; i++) {
      PlanNode.Decrypted.Cell cell = cells[i];
      Encryptor.Decryptor decryptor = decryptors[i];
      if (cell == null || decryptor == null || row.isNull(i)) {
        encoder.copy(row, i);
      } else {
        encoder.addText(decrypted(cell, decryptor, i));
      }
    }
    return encoder.finish();
  }

  private String decrypted(
      PlanNode.Decrypted.Cell cell, Encryptor.Decryptor decryptor, int column) {
    String stored =
        new String(row.payload(), row.offset(column), row.length(column), StandardCharsets.UTF_8);
    try {
      return decryptor.decrypt(stored);
    } catch (IllegalArgumentException e) {
      throw ErrorCatalogue.NOT_DECRYPTED.refuse(cell.name(), String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    input.close();
  }
}
