package io.anabranch.app.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Drawn queries over all types of the servers, under settings of sessions and of statements, in
 * text and prepared: rows, names and types of columns, and errors are those of one database.
 *
 * <p>{@code -Dgenerated.seeds=1,100} draws from the first to the last of these, {@code
 * -Dgenerated.statements} that many from each. What differs, and how many statements were tried and
 * refused for which reasons, is written to {@code target/generated}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class GeneratedTypesIT {

  private static final int ROWS = 24;
  private static final Path FILES = Path.of("target", "generated");

  private final Map<String, Integer> refusals = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();
  private final List<String> differences = new ArrayList<>();
  private int tried;
  private int answered;

  @Test
  void onMariaDb(MariaDbServers servers) throws Exception {
    try (TypesArena arena = TypesArena.onMariaDb(servers)) {
      draw("mariadb", arena, TypedColumn.ofMariaDb(), false);
    }
  }

  @Test
  void onMySql() throws Exception {
    MySqlServer.assumeInstalled();
    try (TypesArena arena = TypesArena.onMySql()) {
      draw("mysql", arena, TypedColumn.ofMySql(), true);
    }
  }

  private void draw(String name, TypesArena arena, List<TypedColumn> columns, boolean isMySql)
      throws Exception {
    for (String table : List.of("t", "t4")) {
      try (Connection proxied = arena.proxied(false);
          Connection plain = arena.plain(false)) {
        for (String sql : TypesArena.load(table, columns, ROWS)) {
          assertThat(Answer.text(plain, sql).error()).as(sql).isEmpty();
          assertThat(Answer.text(proxied, sql).error()).as(sql).isEmpty();
        }
      }
    }
    Files.createDirectories(FILES);
    Path found = FILES.resolve(name + ".txt");
    Files.writeString(found, "");
    String[] seeds = System.getProperty("generated.seeds", "1,4").split(",", -1);
    for (int seed = Integer.parseInt(seeds[0]); seed <= Integer.parseInt(seeds[1]); seed++) {
      session(arena, columns, isMySql, seed, found);
      Files.writeString(FILES.resolve("outcome-" + name + ".txt"), outcome(seeds[0], seed));
    }
    assertThat(differences).isEmpty();
  }

  private void session(
      TypesArena arena, List<TypedColumn> columns, boolean isMySql, int seed, Path found)
      throws SQLException, IOException {
    boolean binary = seed % 2 == 0;
    var random = new Random(seed);
    var grammar = new TypedGrammar(columns, random, isMySql, binary);
    var surroundings = new Surroundings(random, isMySql);
    List<String> settings = surroundings.session();
    try (Connection proxied = arena.proxied(binary);
        Connection plain = arena.plain(binary)) {
      for (String sql : settings) {
        assertThat(Answer.text(proxied, sql).errno())
            .as(sql)
            .isEqualTo(Answer.text(plain, sql).errno());
      }
      for (int i = Integer.getInteger("generated.statements", 50); i > 0; i--) {
        TypedGrammar.Drawn drawn = grammar.query();
        String sql = surroundings.around(drawn.sql());
        Object[] values = drawn.parameters().toArray();
        Answer wanted = binary ? Answer.prepared(plain, sql, values) : Answer.text(plain, sql);
        Answer seen = binary ? Answer.prepared(proxied, sql, values) : Answer.text(proxied, sql);
        boolean isCut = !drawn.total() && (settings + sql).contains("sql_select_limit");
        String difference = isCut ? "" : judge(drawn.total(), sql, wanted, seen);
        if (!difference.isEmpty()) {
          String told =
              "-- seed %d %s %s%n%s %s%n%s%n"
                  .formatted(
                      seed,
                      binary ? "binary" : "text",
                      settings,
                      sql,
                      drawn.parameters(),
                      difference);
          differences.add(told);
          Files.writeString(found, told, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        }
      }
    }
  }

  private String judge(boolean total, String sql, Answer wanted, Answer seen) {
    tried++;
    answered += wanted.errno() == 0 ? 1 : 0;
    if (seen.isRefusal()) {
      if (wanted.errno() == 0) {
        String reason =
            seen.error()
                .replaceFirst("(?s)^.*?(AB2)", "$1")
                .replaceAll("'[^']*'", "'…'")
                .replaceAll("c_\\w+", "c");
        refusals.merge(reason, 1, Integer::sum);
        examples.putIfAbsent(reason, sql);
      }
      return "";
    }
    // which rows beyond a LIMIT or a condition an expression is computed for is the server's choice
    boolean isChoice = wanted.errno() == 1690 || seen.errno() == 1690;
    if (isChoice || (seen.errno() != 0 && sql.contains("LIMIT"))) {
      return "";
    }
    boolean folds = sql.matches("(?s).*(GROUP BY|DISTINCT|UNION|EXCEPT|INTERSECT|MIN\\(|MAX\\().*");
    return Differences.between(
        folds, total ? sql + " ORDER BY" : sql.replace("ORDER BY", ""), wanted, seen);
  }

  private String outcome(String first, int last) {
    var text =
        new StringBuilder(
            "seeds %s to %d: %d statements, %d of them answered by one database; %d differences; refused:%n"
                .formatted(first, last, tried, answered, differences.size()));
    refusals.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .forEach(
            e ->
                text.append(e.getValue())
                    .append(" × ")
                    .append(e.getKey())
                    .append("\n    ")
                    .append(examples.get(e.getKey()))
                    .append('\n'));
    return text.toString();
  }
}
