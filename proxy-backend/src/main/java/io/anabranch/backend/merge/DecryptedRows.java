package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives cells their values back that are stored encrypted. For one thread. */
public final class DecryptedRows {

  private final List<ResultColumn> columns;
  private final PlanNode.Decrypted.@Nullable Cell[] cells;
  private final Encryptor.@Nullable Decryptor[] decryptors;
  private final Charset[] charsets;
  private final RowReader row;
  private final RowEncoder encoder;

  /**
   * @param input as the database has them
   */
  public DecryptedRows(List<ResultColumn> input, PlanNode.Decrypted node, RowFormat format) {
    columns = node.columns(input);
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
    charsets = columns.stream().map(DecryptedRows::charset).toArray(Charset[]::new);
    row = format.reader(input);
    encoder = new RowEncoder(columns, format);
  }

  /** What clients are told that the column is in; UTF-8 where it is none that Java knows. */
  private static Charset charset(ResultColumn column) {
    Collation collation = Collation.byId(column.collation());
    Charset charset = collation == null ? null : collation.charset();
    return charset == null ? StandardCharsets.UTF_8 : charset;
  }

  public List<ResultColumn> columns() {
    return columns;
  }

  /** A row as clients see it. */
  public byte[] of(byte[] payload) {
    row.read(payload);
    encoder.begin();
    for (int i = 0; i < cells.length; i++) {
      PlanNode.Decrypted.Cell cell = cells[i];
      Encryptor.Decryptor decryptor = decryptors[i];
      if (cell == null || decryptor == null || row.isNull(i)) {
        encoder.copy(row, i);
      } else {
        encoder.addText(decrypted(cell, decryptor, i).getBytes(charsets[i]));
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
}
