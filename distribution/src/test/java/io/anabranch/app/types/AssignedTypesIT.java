package io.anabranch.app.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Values of columns of each type, and values that are computed of them, stored in columns of
 * others, by INSERT … SELECT and by UPDATE of a join, where rows are read before they are written:
 * a column has what a server stores, or the statement is refused by name.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class AssignedTypesIT {

  private static final int ROWS = 12;

  /** Columns of one statement: servers treat those of one line alike. */
  private static final List<List<String>> TARGETS =
      List.of(
          List.of("small", "int1", "ubig", "dec1", "float1", "double1"),
          List.of("bit9", "bit64"),
          List.of("year1"),
          List.of("date1", "time3", "dt6", "ts0"),
          List.of("char1", "varchar1", "vbin"),
          List.of("tinytext1", "text1", "longtext1"),
          List.of("varbin"),
          List.of("blob1", "longblob1"),
          List.of("enum1", "set1"));

  /** What is stored of a column {@code c}. */
  private static final List<String> EXPRESSIONS = List.of("%1$s", "COALESCE(%1$s, %1$s)");

  /** What is computed of numbers and times, whose type is another one than their columns'. */
  private static final List<String> COMPUTED =
      List.of(
          "r.c_time3 + 0",
          "r.c_dec1 * r.c_dec1",
          "r.c_dec1 % 3",
          "NULLIF(r.c_dec1, 7)",
          "CAST(r.c_int1 AS DATETIME)",
          "DATE(r.c_dt6)",
          "TIME(r.c_dt6)",
          "r.c_dt6 + INTERVAL 1 DAY",
          "SEC_TO_TIME(r.c_int1)",
          "IF(r.id > 3, r.c_bit9, r.c_bit9)",
          "x'61'",
          "b'1111'");

  /** Of the many texts, which differ in their collations alone. */
  private static final Set<String> TEXTS = Set.of("varchar1", "vlatin1", "vucs2", "text1");

  /** MariaDB loses texts of two bytes a character on their way into a SET. */
  private static final String LOST = "vucs2";

  /** MySQL refuses bytes that are no text in an UPDATE of a join alone, whatever the mode. */
  private static final int NO_TEXT = 3854;

  private final List<String> differences = new ArrayList<>();
  private int tried;
  private int refused;

  @Test
  void onMariaDb(MariaDbServers servers) throws Exception {
    try (TypesArena arena = TypesArena.onMariaDb(servers)) {
      assign(arena, TypedColumn.ofMariaDb());
    }
  }

  @Test
  void onMySql() throws Exception {
    MySqlServer.assumeInstalled();
    try (TypesArena arena = TypesArena.onMySql()) {
      assign(arena, TypedColumn.ofMySql());
    }
  }

  private void assign(TypesArena arena, List<TypedColumn> columns) throws Exception {
    try (Connection proxied = arena.proxied(false);
        Connection plain = arena.plain(false)) {
      var statements = new ArrayList<>(TypesArena.load("t", columns, ROWS));
      statements.addAll(TypesArena.load("t4", columns, 0));
      for (String sql : statements) {
        assertThat(Answer.text(plain, sql).error()).as(sql).isEmpty();
        assertThat(Answer.text(proxied, sql).error()).as(sql).isEmpty();
      }
      for (TypedColumn source : columns) {
        if (source.folds() && !TEXTS.contains(source.name())) {
          continue;
        }
        for (List<String> targets : TARGETS) {
          if (!source.name().equals(LOST) || !targets.contains("set1")) {
            for (String expression : EXPRESSIONS) {
              assign(proxied, plain, expression.formatted("r.c_" + source.name()), targets);
            }
          }
        }
      }
      for (List<String> targets : TARGETS) {
        for (String value : COMPUTED) {
          assign(proxied, plain, value, targets);
        }
      }
    }
    assertThat(differences).isEmpty();
    assertThat(refused).as("of %d", tried).isLessThan(tried / 3);
  }

  private void assign(Connection proxied, Connection plain, String value, List<String> targets) {
    insert(proxied, plain, value, targets);
    update(proxied, plain, value, targets);
  }

  private void insert(Connection proxied, Connection plain, String value, List<String> targets) {
    String values = targets.stream().map(target -> value).collect(Collectors.joining(", "));
    compare(
        proxied,
        plain,
        "INSERT INTO t4 (id, " + names(targets) + ") SELECT id + 101, " + values + " FROM t r",
        targets);
  }

  private void update(Connection proxied, Connection plain, String value, List<String> targets) {
    for (Connection each : List.of(proxied, plain)) {
      Answer.text(each, "INSERT INTO t4 (id) SELECT id + 101 FROM t");
    }
    compare(
        proxied,
        plain,
        "UPDATE t4 w JOIN t r ON w.id = r.id + 101 SET "
            + targets.stream()
                .map(target -> "w.c_" + target + " = " + value)
                .collect(Collectors.joining(", ")),
        targets);
  }

  private void compare(Connection proxied, Connection plain, String sql, List<String> targets) {
    tried++;
    Answer seen = Answer.text(proxied, sql);
    Answer wanted = Answer.text(plain, sql);
    if (seen.isRefusal()) {
      refused++;
    } else if (wanted.errno() == NO_TEXT) {
      tried--;
    } else if (seen.errno() != wanted.errno()) {
      differences.add(sql + ": " + seen.error() + " for " + wanted.error());
    } else {
      String rows = "SELECT id, " + names(targets) + " FROM t4 ORDER BY id";
      List<String> stored = Answer.text(proxied, rows).rows();
      List<String> expected = Answer.text(plain, rows).rows();
      if (!stored.equals(expected)) {
        differences.add(sql + "\n  " + stored + "\n  " + expected);
      }
    }
    for (Connection each : List.of(proxied, plain)) {
      Answer.text(each, "DELETE FROM t4");
    }
  }

  private static String names(List<String> targets) {
    return targets.stream().map(target -> "c_" + target).collect(Collectors.joining(", "));
  }
}
