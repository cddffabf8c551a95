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

  /** What ciphertexts come in. */
  private final Charset[] stored;

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
    stored = input.stream().map(DecryptedRows::charset).toArray(Charset[]::new);
    charsets = columns.stream().map(DecryptedRows::charset).toArray(Charset[]::new);
    row = format.reader(input);
    encoder = new RowEncoder(columns, format);
  }

  /**
   * What the column is told in; UTF-8 where that is none that Java knows, and where its bytes are
   * told as they lie in a column, which is what a plain text would lie in.
   */
  private static Charset charset(ResultColumn column) {
    boolean isBytes = column.collation() == Collation.BINARY;
    Collation collation = isBytes ? null : Collation.byId(column.collation());
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
    String text = new String(row.payload(), row.offset(column), row.length(column), stored[column]);
    try {
      return decryptor.decrypt(text);
    } catch (IllegalArgumentException e) {
      throw ErrorCatalogue.NOT_DECRYPTED.refuse(cell.name(), String.valueOf(e.getMessage()));
    }
  }
}
