package io.anabranch.backend.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Connections are asked for, given, given back, thrown away, broken and yielded; openings fail,
 * waits end by time or by others, pools close and are replaced: thousands of orders of these events
 * in simulated time, each of which follows from its seed.
 *
 * <p>{@code -Dleases.runs=N} tries so many; a failure prints its seed and trace, and {@code
 * -Dleases.seed=N} runs it alone.
 */
class LeaseSimulationTest {

  private static final int RUNS = Integer.getInteger("leases.runs", 3000);
  private static final long ALL = -1;
  private static final long SEED = Long.getLong("leases.seed", ALL);

  private final Map<String, Integer> tally = new TreeMap<>();

  @Test
  void everybodyIsAnsweredOnceInOrderAndNothingLeaks() {
    if (SEED != ALL) {
      run(SEED);
      return;
    }
    for (long seed = 0; seed < RUNS; seed++) {
      run(seed);
    }
    assertThat(tally)
        .as("what has happened")
        .containsKeys(
            "all leased and waited for",
            "cannot be moved",
            "closes",
            "discards",
            "evicted from",
            "goes away",
            "is refused by another",
            "leased",
            "leaves",
            "leaves too late",
            "opening failed otherwise",
            "opening refused by",
            "opening took too long",
            "refused",
            "yields");
  }

  private void run(long seed) {
    var simulation = new LeaseSimulation(seed, tally);
    try {
      simulation.run();
    } catch (AssertionError | RuntimeException wrong) {
      throw new AssertionError("-Dleases.seed=" + seed + "\n" + simulation.trace(), wrong);
    }
  }
}
