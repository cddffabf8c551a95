package io.anabranch.rules.algorithm.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnowflakeKeysTest {

  /** 2016-11-01 00:00 UTC. */
  private static final long EPOCH = 1_477_958_400_000L;

  private long now = EPOCH + 1;

  @Test
  void isTimeWorkerAndSequence() {
    SnowflakeKeys keys = keys(5, 0);

    assertThat(next(keys)).isEqualTo(1L << 22 | 5L << 12);
    assertThat(next(keys)).isEqualTo(1L << 22 | 5L << 12 | 1);
    now++;
    assertThat(next(keys)).isEqualTo(2L << 22 | 5L << 12);
  }

  @Test
  void firstSequenceOfAMillisecondVibrates() {
    SnowflakeKeys keys = keys(0, 3);
    for (int expected : new int[] {0, 1, 2, 3, 0, 1}) {
      assertThat(next(keys) & 4095).isEqualTo(expected);
      now++;
    }
  }

  @Test
  void staysUniqueAndRisingWhenAMillisecondIsUsedUp() {
    SnowflakeKeys keys = keys(0, 1);
    Set<Long> seen = new HashSet<>();
    long last = 0;
    for (int i = 0; i < 20_000; i++) {
      long key = next(keys);
      assertThat(key).isGreaterThan(last);
      assertThat(seen.add(key)).isTrue();
      last = key;
    }
    now += 2;
    assertThat(next(keys)).isGreaterThan(last);
  }

  @Test
  void keysOfOneStatementFollowOneAnother() {
    SnowflakeKeys keys = keys(0, 3);
    long last = 0;
    for (int count : new int[] {1, 500, 4000, 90, 1, 4092, 3}) {
      List<SqlValue> made = keys.next(count);
      assertThat(made).hasSize(count);
      long first = ((SqlValue.Int) made.getFirst()).value();
      assertThat(first).isGreaterThan(last);
      for (int i = 0; i < count; i++) {
        assertThat(made.get(i)).isEqualTo(new SqlValue.Int(first + i));
      }
      last = first + count - 1;
      now += count % 2;
    }
    assertThat(Set.copyOf(keys.next(9000))).hasSize(9000);
  }

  @Test
  void bridgesAClockThatGoesBackALittleAndRefusesMore() {
    SnowflakeKeys keys = keys(0, 1);
    now += 100;
    long before = next(keys);
    now -= 10;
    assertThat(next(keys)).isGreaterThan(before);
    now -= 1;
    assertThatThrownBy(() -> next(keys))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("11 ms");
    now += 50;
    assertThat(next(keys)).isGreaterThan(before);
  }

  /** As CosId does: the sequence of a quiet proxy does not only have even numbers. */
  @Test
  void sequenceGoesOnUntilItIsHalfUsed() {
    var keys = new SnowflakeKeys(() -> now, EPOCH, Workers.fixed(0), new Opening.GoingOn(2048), 10);
    assertThat(next(keys) & 4095).isEqualTo(1);
    now++;
    assertThat(next(keys) & 4095).isEqualTo(2);
    now++;
    keys.next(2047);
    now++;
    assertThat(next(keys) & 4095).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00000000000",
    "1, 00000000001",
    "61, 0000000000z",
    "62, 00000000010",
    "9223372036854775807, AzL8n0Y58m7"
  })
  void writesNumbersToTheBaseOf62(long number, String text) {
    assertThat(Radix62.text(number)).isEqualTo(text);
  }

  @Test
  void catalogueMakesKeyGenerators() {
    AlgorithmCatalogue catalogue = new AlgorithmCatalogue(List.of());

    assertThat(catalogue.keyGenerator("uuid", Map.of()).next())
        .isInstanceOfSatisfying(
            SqlValue.Text.class, text -> assertThat(text.value()).matches("[0-9a-f]{32}"));
    assertThat(catalogue.keyGenerator("SNOWFLAKE", Map.of("worker-id", "1023")).next())
        .isInstanceOf(SqlValue.Int.class);
    assertThatThrownBy(() -> catalogue.keyGenerator("SNOWFLAKE", Map.of("worker-id", "1024")))
        .isInstanceOf(InvalidPropertiesException.class)
        .hasMessageContaining("worker-id must be from 0 to 1023");
    assertThat(catalogue.keyGenerator("COSID_SNOWFLAKE", Map.of("as-string", "true")).next(3))
        .allSatisfy(key -> assertThat(((SqlValue.Text) key).value()).matches("[0-9A-Za-z]{11}"));
    assertThat(catalogue.keyGenerator("NANOID", Map.of()).next())
        .isInstanceOfSatisfying(
            SqlValue.Text.class, text -> assertThat(text.value()).matches("[0-9A-Za-z_-]{21}"));
  }

  private SnowflakeKeys keys(int worker, int vibration) {
    return new SnowflakeKeys(
        () -> now,
        SnowflakeId.epoch(ZoneOffset.UTC),
        Workers.fixed(worker),
        new Opening.Vibrating(vibration),
        10);
  }

  private static long next(SnowflakeKeys keys) {
    return ((SqlValue.Int) keys.next()).value();
  }

  /** A plug-in's provider. */
  private static final class Constant implements KeyGeneratorProvider {
    @Override
    public String type() {
      return "Constant";
    }

    @Override
    public KeyGenerator create(Map<String, String> properties) {
      return () -> new SqlValue.Text(properties.getOrDefault("key", ""));
    }
  }

  @Test
  void catalogueTakesGeneratorsOfPlugIns() {
    var catalogue = new AlgorithmCatalogue(List.of(), List.of(new Constant()));

    assertThat(catalogue.keyGeneratorTypes()).contains("CONSTANT", "SNOWFLAKE");
    assertThat(catalogue.keyGenerator("constant", Map.of("key", "k")).next())
        .isEqualTo(new SqlValue.Text("k"));
    assertThatThrownBy(
            () -> new AlgorithmCatalogue(List.of(), List.of(new Constant(), new Constant())))
        .hasMessageContaining("two key generators have the type CONSTANT");
  }
}
