package io.anabranch.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a change is what becomes of it. */
class LivePropertiesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          global: props.proxy-slow-log-explain-per-minute: 0 -> 6        | false
          global: props.proxy-slow-log-threshold-milliseconds is new: 9  | false
          global: props.proxy-slow-log-file: a -> b                      | true
          global: transaction.defaultType: LOCAL -> XA                   | true
          database shop: dataSources.ds is gone                          | false
          """)
  void whatWaitsForTheNextStartIsTold(String change, boolean waits) {
    assertThat(LiveProperties.told(change))
        .isEqualTo(waits ? change + " (from the next start on)" : change);
  }
}
