package io.anabranch.app.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Generated statements over every layout, in both protocols by turns: values, types, order,
 * affected rows and error numbers are those of one plain database. Refusals are counted.
 *
 * <p>{@code -Ddifferential.seeds=1,100} draws from the first to the last of these, {@code
 * -Ddifferential.statements} that many from each, {@code -Ddifferential.layouts} for these alone.
 * Failures are shrunk and written to {@code target/differential}; the outcome of a run to {@code
 * target/differential/outcome-LAYOUT.txt}: a row of the table in {@code docs/compatibility.md}, and
 * the reasons of refusals.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
class DifferentialIT {

  private static final Path FILES = Path.of("target", "differential");
  private static final int CHANGES_EVERY = 12;
  private static final int MOST_FAILURES = 12;

  private static final Map<Layout, Arena> ARENAS = new EnumMap<>(Layout.class);

  private final Tally tally = new Tally();
  private final List<String> failures = new ArrayList<>();

  @BeforeAll
  static void start(DatabaseServers servers) {
    for (Layout layout : Layout.values()) {
      ARENAS.put(layout, Arena.start(servers, layout));
    }
  }

  @AfterAll
  static void stop() {
    ARENAS.values().forEach(Arena::close);
    ARENAS.clear();
  }

  @ParameterizedTest
  @EnumSource
  void answersAsOneDatabase(Layout layout) throws SQLException, IOException {
    if (!System.getProperty("differential.layouts", layout.name()).contains(layout.name())) {
      return;
    }
    String drawn = System.getProperty("differential.seeds", "1,2");
    String[] seeds = drawn.split(",", -1);
    for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
      if (failures.size() < MOST_FAILURES) {
        draw(layout, seed, Integer.getInteger("differential.statements", 120));
      }
    }
    write(layout, Tally.HEAD + tally.row(layout, drawn) + tally.reasons());
    assertThat(failures).isEmpty();
    assertThat(tally.refusedShare()).as(tally.reasons()).isLessThan(layout.refusedAtMost());
  }

  private void draw(Layout layout, long seed, int statements) throws SQLException {
    var random = new Random(seed);
    var sample = new Sample(random, layout);
    var grammar = new Grammar(sample, random);
    var changes = new Changes(sample, random);
    Arena arena = ARENAS.get(layout);
    try (Arena.Bout bout = arena.bout(seed % 2 == 0)) {
      bout.load(sample.tables());
      bout.define(sample.views());
      for (int i = 1; i <= statements && failures.size() < MOST_FAILURES; i++) {
        Query query =
            i % CHANGES_EVERY == 0 && sample.changes()
                ? Query.whole(changes.statement())
                : grammar.query();
        judge(layout, seed, bout, sample, query);
      }
    }
  }

  private void judge(Layout layout, long seed, Arena.Bout bout, Sample sample, Query query) {
    Verdict verdict = bout.compare(query);
    tally.add(query, verdict);
    if (verdict.outcome() == Verdict.Outcome.DIFFERENT) {
      String small =
          query.isQuery() ? new Shrinking(bout, sample, query, verdict.detail()).small() : "";
      String title =
          "-- layout " + layout + ", seed " + seed + (bout.binary() ? ", binary" : ", text");
      failures.add(
          title + "\n-- " + query.sql() + "\n" + (small.isEmpty() ? verdict.detail() : small));
      bout.load(sample.tables());
    }
  }

  private void write(Layout layout, String outcome) throws IOException {
    Files.createDirectories(FILES);
    for (int i = 0; i < MOST_FAILURES; i++) {
      Files.deleteIfExists(failure(layout, i));
    }
    Files.writeString(FILES.resolve("outcome-" + layout + ".txt"), outcome);
    for (int i = 0; i < failures.size(); i++) {
      Files.writeString(failure(layout, i), failures.get(i));
    }
  }

  private static Path failure(Layout layout, int number) {
    return FILES.resolve("failure-" + layout + "-" + number + ".sql");
  }
}
