package io.anabranch.rules.planner.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row stays where it is if WHERE says which one value its key has. */
class KeyChangeTest {

  private static boolean isHarmless(KeyType type, SqlValue value) {
    byte[] sql = "SELECT a".getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(sql, 0, sql.length, LexerMode.DEFAULT, new Scan());
    var operand = new Operand.Constant(value);
    return new KeyChange("k", type, operand, List.of(operand))
        .isHarmless(new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT));
  }

  @Test
  void severalTextsEqualANumberOrADay() {
    assertThat(isHarmless(KeyType.TEXT, new SqlValue.Int(5))).isFalse();
    assertThat(isHarmless(KeyType.EXACT_TEXT, new SqlValue.Date(LocalDate.of(2024, 1, 2))))
        .isFalse();
    assertThat(isHarmless(KeyType.TEXT, new SqlValue.Text("5"))).isTrue();
    assertThat(isHarmless(KeyType.INTEGER, new SqlValue.Int(5))).isTrue();
    assertThat(isHarmless(KeyType.INTEGER, new SqlValue.Floating(5))).isTrue();
    assertThat(isHarmless(KeyType.INTEGER, new SqlValue.Floating(0x1p60))).isFalse();
  }
}
