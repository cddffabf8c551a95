package io.anabranch.rules.algorithm.mycat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes as those proxies' own arithmetic gives them, hashes by Guava. */
class MycatAlgorithmsTest {

  private static final AlgorithmCatalogue CATALOGUE = new AlgorithmCatalogue(List.of());

  private static final TargetSet TARGETS =
      new TargetSet(IntStream.range(0, 40).mapToObj(i -> "t_" + i).toList());

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          ``, 0, 415870660
          k, 679745764, -912107759
          hell, 1510782915, 1380635829
          hello, -675079799, -1360010875
          http://www.google.com/, 1935035788, -1958063412
          The quick brown fox jumps over the lazy dog, -528633700, -1521267861
          中文, -819122266, 1716378929
          """)
  void murmur(String text, int withoutSeed, int withSeven) {
    assertThat(Murmur3.hash(text, 0)).isEqualTo(withoutSeed);
    assertThat(Murmur3.hash(text, 7)).isEqualTo(withSeven);
  }

  @ParameterizedTest
  @CsvSource({"1,1,0", "42,57,43", "3735883980,1,0", "3735883980,666,361", "256,1024,520"})
  void jump(long key, int count, int bucket) {
    assertThat(JumpSharding.bucket(key, count)).isEqualTo(bucket);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          PARTITION_BY_MURMUR_HASH | count=3                                 | i:1          | 1
          PARTITION_BY_MURMUR_HASH | count=3                                 | i:42         | 2
          PARTITION_BY_MURMUR_HASH | count=3                                 | t:42         | 2
          PARTITION_BY_MURMUR_HASH | count=3                                 | t:alice      | 1
          PARTITION_BY_MURMUR_HASH | count=3                                 | t:2024-05-06 | 2
          PARTITION_BY_MURMUR_HASH | count=3                                 | d:2024-05-06 | 2
          PARTITION_BY_MURMUR_HASH | count=10                                | i:1          | 4
          PARTITION_BY_MURMUR_HASH | count=10                                | i:1000000    | 2
          PARTITION_BY_MURMUR_HASH | count=10                                | i:-5         | 0
          PARTITION_BY_MURMUR_HASH | count=10                                | t:alice      | 9
          PARTITION_BY_MURMUR_HASH | count=4;seed=7;virtual-bucket-times=40  | i:2          | 3
          PARTITION_BY_MURMUR_HASH | count=4;seed=7;virtual-bucket-times=40  | t:bob        | 1
          PARTITION_BY_MURMUR_HASH | count=3;virtual-bucket-times=20;weights=1=3 | i:42     | 1
          PARTITION_BY_MURMUR_HASH | count=3                                 | null         | refused
          PARTITION_BY_LONG   | partition-count=2,1;partition-length=256,512 | i:255        | 0
          PARTITION_BY_LONG   | partition-count=2,1;partition-length=256,512 | i:256        | 1
          PARTITION_BY_LONG   | partition-count=2,1;partition-length=256,512 | i:512        | 2
          PARTITION_BY_LONG   | partition-count=2,1;partition-length=256,512 | i:1024       | 0
          PARTITION_BY_LONG   | partition-count=2,1;partition-length=256,512 | i:-1         | 2
          PARTITION_BY_LONG   | partition-count=2,1;partition-length=256,512 | t:12345      | 0
          PARTITION_BY_LONG   | partition-count=3;partition-length=30        | i:255        | 2
          PARTITION_BY_LONG   | partition-count=3;partition-length=30        | i:-1024      | 1
          PARTITION_BY_LONG   | partition-count=3;partition-length=30        | t:abc        | refused
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512 | t:qiushuo    | 2
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512 | t:abcdefghijkl | 0
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512 | t:           | 0
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512;hash-slice=-4: | t:abcdefghijkl | 2
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512;hash-slice=1:-1 | t:abcdefghijkl | 1
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512;hash-slice=1:-1 | t:qiushuo | 0
          PARTITION_BY_STRING | partition-count=2,1;partition-length=256,512;hash-length=8 | t:qiushuo | 2
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=10 | t:qiushuo      | 9
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=16 | t:alice        | 11
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=10 | i:123456       | 3
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=16 | i:1            | 15
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=10;hash-slice=0:-1 | i:123456 | 2
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=10;hash-slice=0:-1 | i:-7     | 3
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=10;hash-slice=0:-1 | t:alice  | 1
          PARTITION_BY_PREFIX_PATTERN | pattern-value=256;prefix-length=5;mappings=0-63=0,64-127=1,128-191=2 | t:gf89f9a  | 2
          PARTITION_BY_PREFIX_PATTERN | pattern-value=256;prefix-length=5;mappings=0-63=0,64-127=1,128-191=2 | t:8gf89f9a | 1
          PARTITION_BY_PREFIX_PATTERN | pattern-value=256;prefix-length=5;mappings=0-63=0,64-127=1,128-191=2 | t:         | 0
          PARTITION_BY_PREFIX_PATTERN | pattern-value=256;prefix-length=5;mappings=0-63=0,64-127=1,128-191=2 | t:ab       | none
          PARTITION_BY_FILE_MAP | mappings=10000=0,10010=1                   | i:10000      | 0
          PARTITION_BY_FILE_MAP | mappings=10000=0,10010=1                   | t:10010      | 1
          PARTITION_BY_FILE_MAP | mappings=10000=0,10010=1                   | i:1          | none
          PARTITION_BY_FILE_MAP | mappings=10000=0,10010=1;default-node=1    | i:1          | 1
          PARTITION_BY_FILE_MAP | mappings=10000=0,10010=1;default-node=1    | i:9999999999 | none
          PARTITION_BY_FILE_MAP | mappings=bj=0,sh=1,DEFAULT_NODE=2;type=1   | t:sh         | 1
          PARTITION_BY_FILE_MAP | mappings=bj=0,sh=1,DEFAULT_NODE=2;type=1   | t:gz         | 2
          PARTITION_BY_FILE_MAP | mappings=10000=0                           | t:bj         | refused
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2014-01-10 | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2014-01-11 | 1
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | d:2014-01-31 | 3
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | c:2014-01-05T23:59:59 | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2014-01-05 23:59:59 | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2015-01-01 | 36
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2013-12-31 | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2013-12-20 | none
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10;default-node=7 | t:2013-12-31 | 7
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2014-1-5   | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:2014-02-30 | 6
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10 | t:yesterday  | refused
          PARTITION_BY_DATE | begin-date=2014-01-01;end-date=2014-01-31;partition-day=10 | t:2014-02-01 | 3
          PARTITION_BY_DATE | begin-date=2014-01-01;end-date=2014-01-31;partition-day=10 | t:2014-02-10 | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;end-date=2014-01-31;partition-day=10 | t:2015-01-01 | 0
          PARTITION_BY_DATE | begin-date=2014-01-01;end-date=2014-01-31;partition-day=10 | t:2014-02-30 | 2
          PARTITION_BY_DATE | begin-date=20140101;partition-day=10;date-format=yyyyMMdd  | t:20140205   | 3
          PARTITION_BY_DATE | begin-date=20140101;partition-day=10;date-format=yyyyMMdd  | i:20140111   | 1
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10;time-zone=Europe/Berlin | t:2014-07-10 | 18
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10;time-zone=Europe/Berlin | t:2014-07-20 | 19
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=10;time-zone=Europe/Berlin | t:2014-10-28 | 30
          PARTITION_BY_MONTH | begin-date=2015-11-01                     | t:2015-11-30 | 0
          PARTITION_BY_MONTH | begin-date=2015-11-01                     | d:2016-02-01 | 3
          PARTITION_BY_MONTH | begin-date=2015-11-01                     | t:2015-10-31 | none
          PARTITION_BY_MONTH | begin-date=2015-01-01;end-date=2015-12-31 | t:2016-02-10 | 1
          PARTITION_BY_MONTH | begin-date=2015-01-01;end-date=2015-12-31 | t:2014-12-31 | 11
          PARTITION_BY_MONTH | begin-date=2015-01-01;end-date=2015-12-31 | t:2014-01-01 | 0
          PARTITION_BY_MONTH | date-format=yyyy-MM-dd                    | t:2031-08-09 | 7
          """)
  void nodes(String type, String properties, String value, String expected) {
    ShardingAlgorithm algorithm = algorithm(type, properties);
    if (expected.equals("refused")) {
      assertThatThrownBy(() -> algorithm.precise(TARGETS, value(value)))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("AB2005");
      return;
    }
    assertThat(algorithm.precise(TARGETS, value(value)))
        .isEqualTo(expected.equals("none") ? -1 : Integer.parseInt(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "count=3, 537127712319156647",
    "count=10, -5942572966460740007",
    "count=4;seed=7;virtual-bucket-times=40, 3377736989668966812"
  })
  void placesAllOfTwoThousandKeys(String properties, long expected) {
    ShardingAlgorithm algorithm = algorithm("PARTITION_BY_MURMUR_HASH", properties);
    long sum = 0;
    for (int key = 0; key < 2000; key++) {
      sum = sum * 31 + algorithm.precise(TARGETS, new SqlValue.Int(key));
    }
    assertThat(sum).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PARTITION_BY_MURMUR_HASH | count=5
          PARTITION_BY_LONG | partition-count=2,1;partition-length=25,50
          PARTITION_BY_STRING | partition-count=3;partition-length=40
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-buckets=7
          PARTITION_BY_PREFIX_PATTERN | pattern-value=8;prefix-length=2;mappings=0-3=0,4-7=1
          PARTITION_BY_FILE_MAP | mappings=1=0,20=1,33=2,80=5;default-node=3
          PARTITION_BY_FILE_MAP | mappings=1=0,20=1,33=2,80=5
          """)
  void rangesOfNumbersCoverTheirValues(String type, String properties) {
    cover(algorithm(type, properties), SqlValue.Int::new, 90);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PARTITION_BY_DATE  | begin-date=2014-01-10;partition-day=7
          PARTITION_BY_DATE  | begin-date=2014-01-10;partition-day=7;default-node=9
          PARTITION_BY_DATE  | begin-date=2014-01-10;end-date=2014-02-20;partition-day=9
          PARTITION_BY_DATE  | begin-date=2014-01-10;partition-day=3;time-zone=Europe/Berlin
          PARTITION_BY_DATE  | begin-date=10-01-2014;partition-day=7;date-format=dd-MM-yyyy
          PARTITION_BY_MONTH | begin-date=2014-02-01
          PARTITION_BY_MONTH | begin-date=2014-01-01;end-date=2014-03-01
          PARTITION_BY_MONTH | date-format=yyyy-MM-dd
          """)
  void rangesOfMomentsCoverTheirValues(String type, String properties) {
    LocalDate first = LocalDate.of(2014, 1, 1);
    cover(algorithm(type, properties), day -> new SqlValue.Date(first.plusDays(day)), 500);
    cover(
        algorithm(type, properties),
        hour -> new SqlValue.DateTime(first.atStartOfDay().plusHours(hour)),
        4000);
  }

  private static void cover(ShardingAlgorithm algorithm, LongFunction<SqlValue> maker, int bound) {
    var random = new Random(20260101);
    int narrow = 0;
    for (int round = 0; round < 3000; round++) {
      long[] three = random.longs(3, 0, bound).sorted().toArray();
      if (round % 2 == 0) {
        three[1] = Math.min(three[1], three[0] + random.nextInt(4));
        three[2] = Math.min(three[2], three[1] + random.nextInt(4));
      }
      Range range =
          new Range(
              random.nextInt(8) == 0 ? null : maker.apply(three[0]),
              true,
              random.nextInt(8) == 0 ? null : maker.apply(three[2]),
              true);
      int target = algorithm.precise(TARGETS, maker.apply(three[1]));
      var covered = algorithm.range(TARGETS, range);
      narrow += covered.cardinality() < TARGETS.size() ? 1 : 0;
      if (target != ShardingAlgorithm.NO_TARGET) {
        assertThat(covered.get(target)).as("%s in %s", maker.apply(three[1]), range).isTrue();
      }
    }
    boolean isUnordered = algorithm.range(TARGETS, day(1, 1)).cardinality() == TARGETS.size();
    assertThat(narrow > 0 || isUnordered).isTrue();
  }

  private static Range day(int from, int to) {
    LocalDate first = LocalDate.of(2014, 3, 1);
    return new Range(
        new SqlValue.Date(first.plusDays(from)), true, new SqlValue.Date(first.plusDays(to)), true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PARTITION_BY_LONG | partition-count=2,1;partition-length=256 | must have as many numbers
          PARTITION_BY_LONG | partition-count=2;partition-length=2000 | more than 2880
          PARTITION_BY_LONG | partition-count=x;partition-length=1 | comma list of integers
          PARTITION_BY_STRING | partition-count=1;partition-length=1;hash-slice=a:b | has not the form start:end
          PARTITION_BY_FILE_MAP | mappings=bj=0 | strings need `type: 1`
          PARTITION_BY_FILE_MAP | mappings=1 | has not the form value=node
          PARTITION_BY_FILE_MAP | mappings=1=0,1=2 | is there twice
          PARTITION_BY_PREFIX_PATTERN | mappings=7=0 | has not the form first-last
          PARTITION_BY_DATE | begin-date=soon;partition-day=3 | is not as date-format has it
          PARTITION_BY_DATE | begin-date=2014-01-01 | is required
          PARTITION_BY_DATE | begin-date=2014-01-01;partition-day=1;date-format=EEE | must be of y, M, d
          PARTITION_BY_MONTH | end-date=2014-01-01 | is required beside end-date
          PARTITION_BY_MURMUR_HASH | count=2;weights=5=1 | is no node from 0 to 1
          PARTITION_BY_MURMUR_HASH | count=2;virtual-bucket-times=20000;weights=0=2 | buckets
          PARTITION_BY_JUMP_CONSISTENT_HASH | total-bucket=3 | did you mean
          """)
  void tellsWhatIsWrong(String type, String properties, String message) {
    assertThatThrownBy(() -> algorithm(type, properties))
        .isInstanceOfSatisfying(
            InvalidPropertiesException.class,
            wrong ->
                assertThat(wrong.violations())
                    .anySatisfy(
                        violation ->
                            assertThat(violation.reason() + violation.suggestion())
                                .contains(message)));
  }

  @Test
  void takesTheLinesOfAMapFile() {
    ShardingAlgorithm algorithm =
        algorithm("PARTITION_BY_FILE_MAP", "mappings=# nodes\n10000=0\n// second\n10010=1\n");

    assertThat(algorithm.precise(TARGETS, new SqlValue.Int(10010))).isEqualTo(1);
  }

  private static ShardingAlgorithm algorithm(String type, String properties) {
    var map = new TreeMap<String, String>();
    for (String property : properties.split(";", -1)) {
      int sign = property.indexOf('=');
      map.put(property.substring(0, sign), property.substring(sign + 1));
    }
    return (ShardingAlgorithm) CATALOGUE.sharding(type, Map.copyOf(map));
  }

  private static SqlValue value(String text) {
    String rest = text.substring(Math.min(2, text.length()));
    return switch (text.charAt(0)) {
      case 'i' -> new SqlValue.Int(Long.parseLong(rest));
      case 't' -> new SqlValue.Text(rest);
      case 'd' -> new SqlValue.Date(LocalDate.parse(rest));
      case 'c' -> new SqlValue.DateTime(LocalDateTime.parse(rest));
      default -> SqlValue.Null.NULL;
    };
  }
}
