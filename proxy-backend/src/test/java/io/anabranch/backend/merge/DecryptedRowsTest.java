package io.anabranch.backend.merge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.row.RowFormat;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.plan.PlanNode.Decrypted;
import io.anabranch.rules.plan.PlanNode.Decrypted.Cell;
import io.anabranch.rules.plan.PlanNode.Decrypted.Texts;
import io.anabranch.rules.plan.PlanNode.LocalRows;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecryptedRowsTest {

  private static final int ASCII_BIN = 65;
  private static final int LATIN1 = 8;
  private static final int UTF16 = 54;
  private static final int UTF8MB4_BIN = 46;

  private static final String TEXT = "M\u00fcnchen";

  private final Encryptor aes =
      new EncryptorCatalogue(List.of()).encryptor("AES", Map.of("aes-key-value", "test"));

  /** A row of one text, and what the text is told in. */
  private record Answer(String text, int collation) {}

  private Answer answer(int told, Charset stored, Texts texts, Charset read) {
    ResultColumn column = Rows.column("phone", ColumnType.VAR_STRING).collated(told);
    var node =
        new Decrypted(
            new LocalRows(List.of(column), List.of()), List.of(new Cell(0, "phone", aes)), texts);
    var rows = new DecryptedRows(List.of(column), node, RowFormat.TEXT);
    var row = new TextRowWriter();
    row.begin();
    row.add(aes.encrypt(TEXT).getBytes(stored));
    byte[] payload = rows.of(row.finish());
    return new Answer(
        new String(payload, 1, payload.length - 1, read), rows.columns().getFirst().collation());
  }

  @Test
  void textsAreInTheSessionsCharacterSet() {
    assertThat(answer(UTF8MB4_BIN, UTF_8, Texts.CONVERTED, UTF_8))
        .isEqualTo(new Answer(TEXT, UTF8MB4_BIN));
    assertThat(answer(LATIN1, ISO_8859_1, Texts.CONVERTED, ISO_8859_1))
        .isEqualTo(new Answer(TEXT, LATIN1));
    assertThat(answer(UTF16, UTF_16BE, Texts.CONVERTED, UTF_16BE))
        .isEqualTo(new Answer(TEXT, UTF16));
  }

  @Test
  void noLetterIsLostWhereTheStoredColumnHasNoRoomForIt() {
    var whole = new Answer(TEXT, Collation.UTF8MB4_GENERAL_CI);
    assertThat(answer(ASCII_BIN, US_ASCII, Texts.OWN, UTF_8)).isEqualTo(whole);
    assertThat(answer(LATIN1, ISO_8859_1, Texts.OWN, UTF_8)).isEqualTo(whole);
    assertThat(answer(UTF16, UTF_16BE, Texts.OWN, UTF_8)).isEqualTo(whole);
    assertThat(answer(Collation.BINARY, US_ASCII, Texts.CONVERTED, UTF_8)).isEqualTo(whole);
    assertThat(answer(Collation.BINARY, US_ASCII, Texts.BINARY, UTF_8))
        .isEqualTo(new Answer(TEXT, Collation.BINARY));
  }
}
