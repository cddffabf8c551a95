package io.anabranch.backend.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.fakes.SimulatedThreads;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Proxies commit over several databases with two phases while connections break, processes die or
 * stand still and databases start again: many orders of these events in simulated time, each of
 * which follows from its seed.
 *
 * <p>{@code -Dxa.runs=N} tries so many; a failure prints its seed and trace, and {@code
 * -Dxa.seed=N} runs it alone.
 *
 * <p>It has been seen to fail where a decision is written without the join to its process's row;
 * where the recovery lists branches before it declares processes dead, or asks who lives before it
 * lists; where a transaction that is being ended is not kept from the recovery; where a log that
 * does not answer in time is taken for a no; where a transaction goes out of the log although a
 * branch was not told, or as soon as all were; where a branch of one's own is rolled back without a
 * look at the log; and where the writer does not look how many rows it has written.
 */
class XaSimulationTest {

  private static final int RUNS = Integer.getInteger("xa.runs", 600);
  private static final long ALL = -1;
  private static final long SEED = Long.getLong("xa.seed", ALL);

  private final Map<String, Integer> tally = new TreeMap<>();

  @Test
  void allOrNothingWhateverHappens() {
    if (SEED != ALL) {
      SimulatedThreads.simulate(() -> trace(SEED));
      return;
    }
    SimulatedThreads.simulate(this::runAll);
    assertThat(tally)
        .as("what has happened")
        .containsKeys(
            "a connection breaks",
            "a database starts again",
            "a process is killed",
            "a process stands still",
            "a replica takes over",
            "out of reach",
            "told COMMITTED",
            "told NOTHING",
            "told ROLLED_BACK",
            "told UNKNOWN");
  }

  private void runAll() {
    for (long seed = 0; seed < RUNS; seed++) {
      try {
        new XaSimulation(seed, false, tally).run();
      } catch (AssertionError | RuntimeException wrong) {
        trace(seed);
        throw new AssertionError("-Dxa.seed=" + seed + " failed once, but not when traced", wrong);
      }
    }
  }

  private void trace(long seed) {
    var simulation = new XaSimulation(seed, true, tally);
    try {
      simulation.run();
    } catch (AssertionError | RuntimeException wrong) {
      throw new AssertionError("-Dxa.seed=" + seed + "\n" + simulation.trace(), wrong);
    }
  }
}
