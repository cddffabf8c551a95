package io.anabranch.app.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Types by constructs, over two data sources as on one: with one table each, and with two. A build
 * tries a part of them that has each type and each construct; {@code -Dtypes.all=true} tries all.
 * Differences are written to {@code target/types}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class TypesIT {

  private static final int ROWS = 24;

  /** One statement in so many. */
  private static final int SAMPLE = 9;

  private static final boolean SAMPLED = !Boolean.getBoolean("types.all");

  @Test
  void onMariaDb(MariaDbServers servers) throws Exception {
    try (TypesArena arena = TypesArena.onMariaDb(servers)) {
      compare("mariadb", arena, TypedColumn.ofMariaDb(), SAMPLED);
    }
  }

  @Test
  void onMySql() throws Exception {
    MySqlServer.assumeInstalled();
    try (TypesArena arena = TypesArena.onMySql()) {
      compare("mysql", arena, TypedColumn.ofMySql(), SAMPLED);
    }
  }

  /**
   * @param sampled whether a part of the statements stands for all, another one of each column
   */
  private static void compare(
      String name, TypesArena arena, List<TypedColumn> columns, boolean sampled) throws Exception {
    var differences = new ArrayList<String>();
    var refusals = new TreeSet<String>();
    for (String table : List.of("t", "t4")) {
      try (Connection proxied = arena.proxied(false);
          Connection plain = arena.plain(false)) {
        for (String sql : TypesArena.load(table, columns, ROWS)) {
          assertThat(Answer.text(plain, sql).error()).as(sql).isEmpty();
          assertThat(Answer.text(proxied, sql).error()).as(sql).isEmpty();
        }
      }
      for (boolean binary : new boolean[] {false, true}) {
        int turn = (table.equals("t") ? 0 : 2) + (binary ? 1 : 0);
        try (Connection proxied = arena.proxied(binary);
            Connection plain = arena.plain(binary)) {
          for (TypedColumn column : columns) {
            List<String> statements = Constructs.over(column, table);
            for (int i = 0; i < statements.size(); i++) {
              if (sampled && (i + turn * 5 + columns.indexOf(column)) % SAMPLE != 0) {
                continue;
              }
              String sql = statements.get(i);
              Answer wanted = binary ? Answer.prepared(plain, sql) : Answer.text(plain, sql);
              Answer seen = binary ? Answer.prepared(proxied, sql) : Answer.text(proxied, sql);
              String difference = Differences.between(column, sql, wanted, seen);
              if (seen.isRefusal()) {
                refusals.add(seen.error().replaceFirst(".*(AB\\d{4}.*?) over several.*", "$1"));
              } else if (!difference.isEmpty()) {
                String way = binary ? "binary " : "text ";
                differences.add(way + column.name() + ": " + sql + "\n" + difference);
              }
            }
          }
        }
      }
    }
    Path files = Files.createDirectories(Path.of("target", "types"));
    Files.writeString(files.resolve(name + ".txt"), String.join("\n", differences));
    assertThat(String.join("\n", differences)).isEmpty();
    assertThat(refusals).isSubsetOf("AB2001: a DECIMAL sum of more than 65 digits");
  }
}
