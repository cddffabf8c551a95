package io.anabranch.rules.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sharding columns hold of values of other types. */
class NewKeyTest {

  private static final LocalDateTime NOON = LocalDateTime.of(2024, 4, 30, 12, 0);

  private static NewKey key(String type, boolean cuts) {
    String collation = type.contains("char") ? "utf8mb4_bin" : null;
    return key(type, collation, cuts);
  }

  private static NewKey key(String type, @Nullable String collation, boolean cuts) {
    var column = new Column("k", type, collation, false, false);
    return new NewKey("k", KeyType.of(type, collation), StoredForm.of(column, cuts));
  }

  /** No matter how long it is, it is read once. */
  @Test
  void longTextsAreNoFloatingNumbers() {
    var text = new SqlValue.Text("1".repeat(2_000_000) + "x");
    assertThat(key("double", false).of(text)).containsExactly(text);
  }

  @ParameterizedTest
  @CsvSource({
    "20.5, 21",
    "20.4, 20",
    "-20.5, -21",
    "' 2', 2",
    "'2 ', 2",
    "7.0, 7",
    "+3, 3",
    "007, 7",
    "1., 1",
    "1e0, 1",
    "15e-1, 2",
    "-25e-1, -3",
    "' 1.25E+1 ', 13",
    "5.e1, 50",
    ".5, 1",
    "-.49, 0",
    "9e-9, 0"
  })
  void textsAreRoundedIntoIntegers(String text, long stored) {
    assertThat(key("int(11)", false).of(new SqlValue.Text(text)))
        .containsExactly(new SqlValue.Int(stored));
  }

  @Test
  void numbersAreRoundedIntoIntegers() {
    assertThat(key("bigint(20)", false).of(new SqlValue.Decimal(new BigDecimal("7.5"))))
        .containsExactly(new SqlValue.Int(8));
    NewKey key = key("bigint(20)", false);
    assertThat(key.of(new SqlValue.Floating(2.6))).containsExactly(new SqlValue.Int(3));
    assertThatThrownBy(() -> key.of(new SqlValue.Floating(2.5)))
        .isInstanceOf(RefusedException.class);
  }

  /** {@code x'05'} is a number to one server alone. */
  @Test
  void bitsAreNumbersInIntegers() {
    byte[] bits = {1, 5};
    NewKey key = key("bigint(20)", false);
    assertThat(key.of(new SqlValue.Bytes(bits, true))).containsExactly(new SqlValue.Int(261));
    for (SqlValue other :
        List.of(new SqlValue.Bytes(bits), new SqlValue.Bytes(new byte[Long.BYTES + 1], true))) {
      assertThatThrownBy(() -> key.of(other)).isInstanceOf(RefusedException.class);
    }
    assertThatThrownBy(() -> key("tinyint(4)", true).of(new SqlValue.Bytes(bits, true)))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void numbersBecomeTheirDigitsInTexts() {
    for (String collation : List.of("utf8mb4_bin", "utf8mb4_general_ci")) {
      NewKey key = key("varchar(20)", collation, false);
      assertThat(key.of(new SqlValue.Int(10))).containsExactly(new SqlValue.Text("10"));
      assertThat(key.of(new SqlValue.Decimal(new BigDecimal("1.50"))))
          .containsExactly(new SqlValue.Text("1.50"));
    }
  }

  @Test
  void daysBecomeTheirDigitsInTexts() {
    for (String collation : List.of("utf8mb4_bin", "utf8mb4_general_ci")) {
      NewKey key = key("varchar(20)", collation, false);
      assertThat(key.of(new SqlValue.Date(LocalDate.of(2024, 2, 3))))
          .containsExactly(new SqlValue.Text("2024-02-03"));
      assertThatThrownBy(() -> key.of(new SqlValue.DateTime(NOON)))
          .isInstanceOf(RefusedException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"2024-04-30 12:00:00", "2024-04-30T12:00:00.000", "20240430120000"})
  void momentsHaveSeveralForms(String text) {
    assertThat(key("datetime", false).of(new SqlValue.Text(text)))
        .containsExactly(new SqlValue.DateTime(NOON));
    assertThat(key("date", false).of(new SqlValue.Text(text)))
        .containsExactly(new SqlValue.Date(NOON.toLocalDate()));
  }

  @ParameterizedTest
  @CsvSource({
    "datetime, 2024-04-30 12:00:00.4999, 2024-04-30T12:00:00, ",
    "datetime, 2024-04-30 23:59:59.9, 2024-04-30T23:59:59, 2024-05-01T00:00",
    "datetime(3), 2024-04-30 12:00:00.123, 2024-04-30T12:00:00.123, ",
    "datetime(3), 2024-04-30 12:00:00.1236, 2024-04-30T12:00:00.123, 2024-04-30T12:00:00.124",
    "datetime(6), 2024-04-30 12:00:00.123456, 2024-04-30T12:00:00.123456, "
  })
  void fractionsOfSecondsThatAreNotKeptAreCutOrRounded(
      String type, String text, LocalDateTime cut, @Nullable LocalDateTime rounded) {
    List<SqlValue> stored = new ArrayList<>(List.of(new SqlValue.DateTime(cut)));
    if (rounded != null) {
      stored.add(new SqlValue.DateTime(rounded));
    }
    assertThat(key(type, false).of(new SqlValue.Text(text))).isEqualTo(stored);
  }

  @Test
  void daysOfMomentsMayBeThoseOfTheNext() {
    LocalDateTime late = LocalDateTime.of(2024, 4, 30, 23, 59, 59, 900_000_000);
    assertThat(key("date", false).of(new SqlValue.DateTime(late)))
        .containsExactly(
            new SqlValue.Date(LocalDate.of(2024, 4, 30)),
            new SqlValue.Date(LocalDate.of(2024, 5, 1)));
  }

  @ParameterizedTest
  @CsvSource({"2024-1-5 3:4:5", "2024/01/5 03:4:05", "2024-1-05T3:04:5.0"})
  void singleDigitsAreDatesToo(String text) {
    LocalDateTime moment = LocalDateTime.of(2024, 1, 5, 3, 4, 5);
    assertThat(key("datetime", false).of(new SqlValue.Text(text)))
        .containsExactly(new SqlValue.DateTime(moment));
    assertThat(key("date", false).of(new SqlValue.Text(text)))
        .containsExactly(new SqlValue.Date(moment.toLocalDate()));
  }

  @Test
  void numbersAreDatesToo() {
    assertThat(key("date", false).of(new SqlValue.Int(20240430)))
        .containsExactly(new SqlValue.Date(NOON.toLocalDate()));
    assertThat(key("datetime", false).of(new SqlValue.Int(20240430120000L)))
        .containsExactly(new SqlValue.DateTime(NOON));
  }

  @ParameterizedTest
  @CsvSource({
    "tinyint(4), 128",
    "tinyint(4), -129",
    "tinyint(3) unsigned, 256",
    "int(10) unsigned, -1",
    "'decimal(3,0)', 1000",
    "bigint(20) unsigned, -1"
  })
  void valuesThatWouldBeCutAreRefusedWhereDatabasesCut(String type, long value) {
    var number = new SqlValue.Int(value);
    assertThatThrownBy(() -> key(type, true).of(number)).isInstanceOf(RefusedException.class);
    assertThat(key(type, false).of(number)).containsExactly(number);
  }

  @Test
  void valuesThatFitAreTakenWhereDatabasesCut() {
    assertThat(key("tinyint(3) unsigned", true).of(new SqlValue.Int(255)))
        .containsExactly(new SqlValue.Int(255));
    assertThat(key("varchar(2)", true).of(new SqlValue.Text("ab")))
        .containsExactly(new SqlValue.Text("ab"));
    assertThatThrownBy(() -> key("varchar(2)", true).of(new SqlValue.Text("abc")))
        .isInstanceOf(RefusedException.class);
  }

  @ParameterizedTest
  @CsvSource({"int(11), 2x", "date, 2024-13-01", "datetime, 24-01-01", "int(11), ''"})
  void whatIsNoValueOfTheTypeIsRefused(String type, String text) {
    assertThatThrownBy(() -> key(type, false).of(new SqlValue.Text(text)))
        .isInstanceOf(RefusedException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "float, 16777217, 16777216",
    "float, '16777219 ', 16777220",
    "float unsigned, 3e3, 3000",
    "double, 9007199254740993, 9007199254740992",
    "double, -4.0, -4"
  })
  void floatingNumbersArePlacedAsTheyAreStored(String type, String number, long stored) {
    assertThat(key(type, false).of(new SqlValue.Text(number)))
        .containsExactly(new SqlValue.Int(stored));
  }

  @Test
  void fractionsOfFloatingNumbersAreTheirShortestDigits() {
    var tenth = new SqlValue.Decimal(new BigDecimal("1.1"));
    var read = new SqlValue.Floating((double) 1.1f);
    assertThat(key("float", false).of(read)).containsExactly(tenth);
    assertThat(key("double", false).of(new SqlValue.Floating(1.1))).containsExactly(tenth);
    assertThat(key("float(5,1)", false).of(read)).containsExactly(read);
  }

  @Test
  void charactersThatMayNotFitAreRefusedWhereTheyAreCut() {
    var cyrillic = new SqlValue.Text("\u0436");
    assertThat(key("varchar(9)", "latin1_bin", true).of(cyrillic))
        .containsExactly(new SqlValue.Text("?"));
    assertThat(key("varchar(9)", "cp1251_bin", true).of(cyrillic)).containsExactly(cyrillic);
    assertThat(key("varchar(9)", "latin2_bin", false).of(cyrillic)).containsExactly(cyrillic);
    NewKey cut = key("varchar(9)", "latin2_bin", true);
    assertThatThrownBy(() -> cut.of(cyrillic)).isInstanceOf(RefusedException.class);
  }
}
