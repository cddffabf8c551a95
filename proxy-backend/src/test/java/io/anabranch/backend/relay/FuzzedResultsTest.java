package io.anabranch.backend.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.FuzzCorpus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that a fuzzer began with or has found something in, and changes of them. */
@Tag("long")
class FuzzedResultsTest {

  private static final int CHANGES = 40;

  @Test
  @Timeout(120)
  void nothingIsFound() {
    assertThat(FuzzCorpus.of("results").tryAll(CHANGES, ResultTarget::fuzzerTestOneInput))
        .isGreaterThan(CHANGES);
  }
}
