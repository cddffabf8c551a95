package io.anabranch.backend.topology.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PositionTest {

  private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  private static Position of(String text) {
    return Position.parse(text);
  }

  @Test
  void mariaDbsDomainsAdvanceEachForItself() {
    Position both = of("0-1-100").plus(of("1-2-7")).plus(of("0-3-99"));
    assertThat(both.text()).isEqualTo("0-1-100,1-2-7");
    assertThat(both.includes(of("0-9-100"))).as("by sequence, whichever server").isTrue();
    assertThat(both.includes(of("0-1-101"))).isFalse();
    assertThat(both.includes(of("2-1-1"))).isFalse();
    assertThat(both.await(1500)).isEqualTo("SELECT MASTER_GTID_WAIT('0-1-100,1-2-7', 1.500)");
  }

  @Test
  void sequenceNumbersAreUnsigned() {
    assertThat(of("0-1-18446744073709551615").includes(of("0-1-9223372036854775807"))).isTrue();
  }

  @Test
  void mySqlsAreSets() {
    Position own = of(A + ":5").plus(of(A + ":7"));
    assertThat(own.text()).isEqualTo(A + ":5:7");
    assertThat(own.includes(of(A + ":6"))).isFalse();
    Position more = own.plus(of(A.toUpperCase(java.util.Locale.ROOT) + ":6"));
    assertThat(more.text()).isEqualTo(A + ":5-7");
    assertThat(of(A + ":1-10:20-30").includes(more)).isTrue();
    assertThat(of(A + ":1-5:7-30").includes(more)).isFalse();
    assertThat(more.await(40))
        .isEqualTo("SELECT WAIT_FOR_EXECUTED_GTID_SET('" + A + ":5-7', 0.040)");
  }

  @Test
  void tagsAreApart() {
    Position tagged = of(A + ":1-3:billing:1-2");
    assertThat(tagged.text()).isEqualTo(A + ":1-3," + A + ":billing:1-2");
    assertThat(tagged.includes(of(A + ":billing:2"))).isTrue();
    assertThat(tagged.includes(of(A + ":3"))).isTrue();
    assertThat(tagged.includes(of(A + ":billing:3"))).isFalse();
  }

  @Test
  void manyHolesAreClosedNotForgotten() {
    Position all = of(A + ":1");
    for (int i = 3; i < 1000; i += 2) {
      all = all.plus(of(A + ":" + i));
    }
    assertThat(all.includes(of(A + ":999"))).isTrue();
    assertThat(all.text()).hasSizeLessThan(1000);
  }

  /** A replica with several workers applies what others have written behind what is known of it. */
  @Test
  void whatIsReachedIsNeverMoreThanWasSeen() {
    Position all = of(A + ":1-100");
    for (int i = 102; i < 1000; i += 2) {
      all = all.withReached(of(A + ":" + i));
    }
    for (int i = 101; i < 1000; i += 2) {
      assertThat(all.includes(of(A + ":" + i))).isFalse();
    }
    assertThat(all.includes(of(A + ":1-100"))).isTrue();
    assertThat(all.text()).hasSizeLessThan(1000);
  }

  /** What is missing of it may never come. */
  @Test
  void whatAServerTellsStaysAsItIs() {
    String text =
        A + IntStream.range(0, 200).mapToObj(i -> ":" + (3 * i + 1)).collect(Collectors.joining());
    assertThat(of(text).text()).isEqualTo(text);
    assertThat(of(A + ":1").plus(of(text)).text()).isEqualTo(text);
  }

  @Test
  void whatIsNoGtid() {
    assertThatThrownBy(() -> of("0-1")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> of("0-1-1").plus(of(A + ":1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(of("0-1-1").includes(of(A + ":1"))).isFalse();
  }
}
