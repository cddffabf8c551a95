package io.anabranch.app.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Generated statements that write, over every layout, in both protocols by turns: counts, keys,
 * warnings and error numbers are those of one plain database, and so is what the tables have
 * afterwards. Takes {@code -Ddifferential.seeds} and {@code -Ddifferential.statements} as {@link
 * DifferentialIT} does; failures are in {@code target/differential/writes-LAYOUT.txt}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
class WritesDifferentialIT {

  private static final Path FILES = Path.of("target", "differential");
  private static final int LOOKS_EVERY = 5;
  private static final int MOST_FAILURES = 12;
  private static final double REFUSED_AT_MOST = 0.15;

  private static final Map<Layout, Arena> ARENAS = new EnumMap<>(Layout.class);

  private final Map<String, Integer> refusals = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private int compared;

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
  void leavesWhatOneDatabaseWould(Layout layout) throws SQLException, IOException {
    if (!System.getProperty("differential.layouts", layout.name()).contains(layout.name())) {
      return;
    }
    String[] seeds = System.getProperty("differential.seeds", "1,2").split(",", -1);
    for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
      if (failures.size() < MOST_FAILURES) {
        draw(layout, seed, Integer.getInteger("differential.statements", 60));
      }
    }
    Files.createDirectories(FILES);
    Files.writeString(
        FILES.resolve("writes-" + layout + ".txt"),
        "compared " + compared + "\nrefused " + refusals + "\n" + String.join("\n", failures));
    int refused = refusals.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(failures).isEmpty();
    assertThat((double) refused / (refused + compared))
        .as("%s", refusals)
        .isLessThan(REFUSED_AT_MOST);
  }

  private void draw(Layout layout, long seed, int statements) throws SQLException {
    var random = new Random(seed);
    var sample = new Sample(random, layout);
    if (!sample.changes()) {
      return;
    }
    var grammar = new WriteGrammar(sample, random);
    var since = new ArrayList<String>();
    try (Arena.Bout bout = ARENAS.get(layout).bout(seed % 2 == 0)) {
      bout.load(sample.tables());
      for (int i = 1; i <= statements && failures.size() < MOST_FAILURES; i++) {
        String sql = grammar.statement();
        String difference = run(bout, sql);
        since.add(sql);
        if (difference.isEmpty() && i % LOOKS_EVERY == 0) {
          difference = contents(bout, sample);
        }
        if (!difference.isEmpty()) {
          failures.add(
              "-- layout "
                  + layout
                  + ", seed "
                  + seed
                  + (bout.binary() ? ", binary\n" : ", text\n")
                  + String.join(";\n", since)
                  + "\n"
                  + difference);
          bout.load(sample.tables());
        }
        if (!difference.isEmpty() || i % LOOKS_EVERY == 0) {
          since.clear();
        }
      }
    }
  }

  /** Empty if there is none. */
  private String run(Arena.Bout bout, String sql) {
    Transcript answer = bout.throughProxy(sql);
    if (answer.isRefusal()) {
      refusals.merge(answer.head().replaceAll("'[^']*'", "'…'"), 1, Integer::sum);
      return "";
    }
    compared++;
    Transcript expected = bout.onPlain(sql);
    return told(answer).equals(told(expected))
        ? ""
        : "proxied: " + answer.head() + "\nplain:   " + expected.head();
  }

  /** Of several rows that are wrong, a server names the one that it comes to first. */
  private static String told(Transcript answer) {
    if (answer.isError()) {
      return answer.withoutMessage().head();
    }
    String[] parts = answer.head().split("(?= warning )");
    Arrays.sort(parts, 1, parts.length);
    return String.join("", parts).replaceAll("at row \\d+", "at row");
  }

  private static String contents(Arena.Bout bout, Sample sample) {
    for (Sample.Table table : sample.tables()) {
      String sql = "SELECT * FROM " + table.name() + " ORDER BY u, k, n";
      List<String> rows = bout.throughProxy(sql).rows();
      List<String> expected = bout.onPlain(sql).rows();
      if (!rows.equals(expected)) {
        var only = new ArrayList<>(rows);
        only.removeAll(expected);
        var missing = new ArrayList<>(expected);
        missing.removeAll(rows);
        return table.name() + ": proxied alone " + only + "\nplain alone " + missing;
      }
    }
    return "";
  }
}
