package io.anabranch.backend.relay.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreparedShapeTest {

  @ParameterizedTest
  @CsvSource({"GBK,\u8109", "UTF-8,\u00e9", "ISO-8859-1,\u00e9", "Shift_JIS,\u8868"})
  void namesAreInTheCharacterSetOfResults(Charset results, String name) {
    String bytes = new String(name.getBytes(results), StandardCharsets.ISO_8859_1);
    var column = new ResultColumn("", bytes, "", bytes, bytes, 45, 4, 253, 0, 0);
    PreparedShape shape = new PreparedShape(List.of(column), List.of(column), 0).in(results);
    assertThat(shape.columns()).isEqualTo(shape.parameters());
    assertThat(shape.columns().getFirst())
        .extracting(ResultColumn::table, ResultColumn::name, ResultColumn::orgName)
        .containsOnly(name);
  }
}
