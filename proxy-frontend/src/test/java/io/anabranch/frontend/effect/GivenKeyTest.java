package io.anabranch.frontend.effect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenKeyTest {

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  private static SlotValues slots(Scan scan, StatementParameter... parameters) {
    if (parameters.length == 0) {
      return new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT);
    }
    var slots = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    slots.bind(
        new PreparedSlotValues.Parameters() {
          @Override
          public int type(int parameter) {
            return parameters[parameter].type();
          }

          @Override
          public byte @Nullable [] value(int parameter) {
            return parameters[parameter].value();
          }
        });
    return slots;
  }

  private static boolean isPossible(String sql, StatementParameter... parameters) {
    Scan scan = scan(sql);
    return GivenKey.isPossible(scan, slots(scan, parameters), 12);
  }

  /** Nobody reads millions of digits on an event loop: the connection is asked instead. */
  @ParameterizedTest
  @ValueSource(strings = {"9", "0", " "})
  void mayBeAnyLongNumber(String part) {
    assertThat(isPossible("INSERT INTO t VALUES ('" + part.repeat(5_000_000) + "')")).isTrue();
  }

  @Test
  void isNoLongText() {
    assertThat(isPossible("INSERT INTO t VALUES ('" + "a9".repeat(5_000_000) + "')")).isFalse();
    assertThat(isPossible("INSERT INTO t VALUES ('13 " + "9".repeat(5_000) + "')")).isFalse();
    assertThat(isPossible("INSERT INTO t VALUES ('12 " + "9".repeat(5_000) + "')")).isTrue();
  }

  /** Under IGNORE, and in modes that are not strict, columns take what they can hold. */
  @ParameterizedTest
  @ValueSource(
      longs = {127, 255, 32_767, 65_535, 8_388_607, 16_777_215, 2_147_483_647, 4_294_967_295L, -1})
  void mayBeWhatACutNumberBecomes(long limit) {
    Scan scan = scan("INSERT IGNORE INTO t VALUES (99999999999999999999, 1)");
    assertThat(GivenKey.isPossible(scan, slots(scan), limit)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (id, a) VALUES (12, 1)",
        "INSERT INTO t VALUES ('12')",
        "INSERT INTO t VALUES (11.6)",
        "INSERT INTO t VALUES (1.2e1)",
        "INSERT INTO t VALUES (0xC)",
        "INSERT INTO t VALUES (6 + 6)",
        "INSERT INTO t VALUES (ABS(1))",
        "INSERT INTO t VALUES (' 12')",
        "INSERT INTO t VALUES ('+11.6 pieces')",
        "INSERT INTO t VALUES ('.12e2')",
        "INSERT INTO t VALUES (_latin1'12')",
        "INSERT INTO t VALUES (N'12')",
        "INSERT INTO t VALUES (TIME'00:00:12')",
        "INSERT INTO t VALUES (TRUE)",
        "INSERT INTO t VALUES (-12)",
        "INSERT INTO value (id, value) SELECT id, value FROM u",
        "INSERT INTO value (id, value) VALUES (ABS(1), 2)",
        "INSERT INTO t VALUES (@a)",
        "INSERT INTO t SET id = 5",
        "INSERT INTO t SELECT 5",
        "REPLACE INTO t VALUES (12)",
        "INSERT INTO t (a) VALUES (5) ON DUPLICATE KEY UPDATE a = 1",
      })
  void whatMayBeTheKeyIsOne(String sql) {
    assertThat(isPossible(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (a) VALUES (5)",
        "INSERT INTO t (a, b) VALUES ('x', 5), ('2024-06-03', NULL)",
        "INSERT INTO t VALUES (NULL, 'a+b')",
        "INSERT INTO t VALUES (DEFAULT, 7)",
        "INSERT INTO t12 (a) VALUES (120)",
        "INSERT INTO t (a, made) VALUES (5, NOW()), (6, CURRENT_TIMESTAMP)",
        "INSERT INTO t (made, a) VALUES (curdate(), 5)",
        "INSERT INTO t (value) VALUES ('x12', 'twelve'), ('1 2', '12e99')",
      })
  void otherKeysWereGenerated(String sql) {
    assertThat(isPossible(sql)).isFalse();
  }

  @Test
  void parametersMayBeTheKey() {
    String sql = "INSERT INTO t VALUES (?)";
    byte[] twelve = {12, 0, 0, 0};
    byte[] five = {5, 0, 0, 0};
    assertThat(isPossible(sql, new StatementParameter(3, twelve))).isTrue();
    assertThat(isPossible(sql, new StatementParameter(3, five))).isFalse();
    assertThat(isPossible(sql, new StatementParameter(253, new byte[] {2, '1', '2'}))).isTrue();
    assertThat(isPossible(sql, new StatementParameter(6, null))).isFalse();
  }

  @Test
  void momentsAreLargeNumbers() {
    Scan scan = scan("INSERT INTO t VALUES (NOW())");
    assertThat(GivenKey.isPossible(scan, slots(scan), 20_261_128_000_000L)).isTrue();
    assertThat(GivenKey.isPossible(scan, slots(scan), 20_261_128)).isTrue();
    assertThat(isPossible("INSERT INTO t VALUES (NOW() - 5)")).isTrue();
    assertThat(isPossible("INSERT INTO t VALUES (CURTIME())")).isTrue();
    assertThat(isPossible("INSERT INTO t VALUES (NOW(12))")).as("not looked into").isTrue();
  }

  @Test
  void textsAreReadAsServersReadThem() {
    Scan scan = scan("INSERT INTO t VALUES ('-5')");
    assertThat(GivenKey.isPossible(scan, slots(scan), -5)).isTrue();
    assertThat(GivenKey.isPossible(scan, slots(scan), 5)).isFalse();
  }

  @Test
  void aSlotThatWasTheKeyOnceIsTheKey() {
    var known = new KeySlots();
    Scan first = scan("INSERT INTO t (a, id) VALUES (7, 12)");
    assertThat(known.isGiven(first, "shop", slots(first), 12)).isFalse();
    known.given(first, "shop", slots(first), 12);
    Scan second = scan("INSERT INTO t (a, id) VALUES (12, 13)");
    assertThat(known.isGiven(second, "shop", slots(second), 13)).isTrue();
    assertThat(known.isGiven(second, "shop", slots(second), 12)).as("the other column's").isFalse();
    assertThat(known.isGiven(second, "other", slots(second), 13)).isFalse();
    Scan other = scan("INSERT INTO u (a, id) VALUES (12, 13)");
    assertThat(known.isGiven(other, "shop", slots(other), 13)).isFalse();
  }

  @Test
  void ofTwoSlotsNeitherIsKnownToBeTheKey() {
    var known = new KeySlots();
    Scan both = scan("INSERT INTO t (a, id) VALUES (12, 12)");
    known.given(both, "shop", slots(both), 12);
    assertThat(known.isGiven(both, "shop", slots(both), 12)).isFalse();
  }
}
