package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the cells of some columns masked, whatever the form of the rows: as the same texts. */
final class MaskedCells implements RowStream {

  private final RowStream input;
  private final List<ResultColumn> columns;

  /** Null: the column is shown as it is. */
  private final @Nullable Masker[] maskers;

  private final Charset[] charsets;

  /** Of what is shown: another one where the column is shown as another type. */
  private final Charset[] shownCharsets;

  private final CellConversion[] conversions;
  private final RowFormat format;
  private final RowReader row;
  private final RowEncoder encoder;
  private final TextRowWriter text = new TextRowWriter();
  private final TextRowReader asText = new TextRowReader(1);

  MaskedCells(RowStream input, PlanNode.Masked node, RowFormat format) {
    this.input = input;
    this.format = format;
    List<ResultColumn> plain = input.columns();
    columns = node.columns(plain);
    maskers = new Masker[plain.size()];
    charsets = new Charset[plain.size()];
    shownCharsets = new Charset[plain.size()];
    conversions = new CellConversion[plain.size()];
    for (int i = 0; i < maskers.length; i++) {
      ResultColumn column = plain.get(i);
      maskers[i] = node.of(column);
      charsets[i] = charset(column.collation());
      boolean isSame = columns.get(i).collation() == column.collation();
      shownCharsets[i] = isSame ? charsets[i] : StandardCharsets.UTF_8;
      conversions[i] =
          new CellConversion(
              ColumnType.of(column.type()), column.flags(), column.decimals(), column.length());
    }
    row = format.reader(plain);
    encoder = new RowEncoder(columns, format);
  }

  /** Numbers and moments are ASCII; bytes without a character set are shown one by one. */
  private static Charset charset(int id) {
    Collation collation = id == Collation.BINARY ? null : Collation.byId(id);
    Charset charset = collation == null ? null : collation.charset();
    return charset == null ? StandardCharsets.ISO_8859_1 : charset;
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
    for (int i = 0; i < maskers.length; i++) {
      Masker masker = maskers[i];
      if (masker == null) {
        encoder.copy(row, i);
      } else if (row.isNull(i)) {
        encoder.addNull();
      } else {
        String plain = plain(i);
        encoder.addText((plain.isEmpty() ? plain : masker.mask(plain)).getBytes(shownCharsets[i]));
      }
    }
    return encoder.finish();
  }

  private String plain(int column) {
    if (format == RowFormat.TEXT) {
      return new String(row.payload(), row.offset(column), row.length(column), charsets[column]);
    }
    text.begin();
    conversions[column].addAsText(text, row.payload(), row.offset(column), row.length(column));
    byte[] written = text.finish();
    asText.read(written);
    return new String(written, asText.offset(0), asText.length(0), charsets[column]);
  }

  @Override
  public void close() {
    input.close();
  }
}
