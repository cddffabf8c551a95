package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Column;
import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.app.differential.Sample.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Views over a {@link Sample}'s tables. Each has the columns {@code u}, {@code k} and {@code n}, as
 * tables do: some show one node's row in each of theirs, others must be computed of many.
 */
final class Views {

  /**
   * @param table what it looks like; it has no rows of its own
   */
  record View(Table table, String query) {

    String name() {
      return table.name();
    }

    String create() {
      return "CREATE OR REPLACE VIEW " + name() + " AS " + query;
    }
  }

  private static final String KEYS = "u, k, n";

  private final Sample sample;
  private final Random random;

  Views(Sample sample, Random random) {
    this.sample = sample;
    this.random = random;
  }

  List<View> draw() {
    return List.of(
        view("va", sample.table("ta"), part("ta")),
        view("vb", sample.table("ta"), together()),
        view("vc", sample.table("tc"), part("tc")),
        view("vd", sample.table("td"), part("td")),
        view("vg", new Table("ta", "", List.of(), List.of()), groups()),
        view("vn", sample.table("ta"), "SELECT * FROM va WHERE u <> " + random.nextInt(4)),
        view("vs", sample.table("ts"), part("ts")),
        view("vu", without(sample.table("ta"), Kind.BIT), halves()),
        view("vx", sample.table("tb"), crossed()));
  }

  private static View view(String name, Table like, String query) {
    return new View(new Table(name, "", like.columns(), List.of()), query);
  }

  private String part(String table) {
    return "SELECT * FROM "
        + table
        + one("", " WHERE n > 3", " WHERE u IN (0, 1, 2, 3)", " WHERE n % 3 <> 1 OR u = 2");
  }

  /** Rows of tables that are sharded alike. */
  private String together() {
    return "SELECT l.* FROM ta l "
        + one(
            "JOIN tb r ON r.u = l.u AND r.k = l.k AND r.n = l.n + 1",
            "LEFT JOIN tb r ON r.u = l.u AND r.k = l.k AND r.n = l.n WHERE r.n IS NULL",
            "JOIN td d ON d.n = l.u + 1");
  }

  /** A row of many. */
  private String groups() {
    String count = sample.hasTextKey() ? "CONCAT(COUNT(*))" : "COUNT(*)";
    return "SELECT u, "
        + count
        + " AS k, MAX(n) AS n FROM "
        + one("ta", "tb", "tc")
        + " GROUP BY u";
  }

  private String halves() {
    String columns = names(without(sample.table("ta"), Kind.BIT));
    return "SELECT "
        + columns
        + " FROM ta WHERE n % 2 = 0 UNION ALL SELECT "
        + columns
        + " FROM ta WHERE n % 2 = 1";
  }

  /** The sharding columns under each other's names. */
  private String crossed() {
    String keys = sample.hasTextKey() ? "u AS u, k AS k" : "k AS u, u AS k";
    String rest = names(sample.table("tb")).substring("u, k, ".length());
    return "SELECT " + keys + ", " + rest + " FROM tb";
  }

  private static Table without(Table table, Kind kind) {
    return new Table(
        table.name(),
        table.keys(),
        table.columns().stream().filter(column -> column.kind() != kind).toList(),
        List.of());
  }

  private static String names(Table table) {
    var names = new ArrayList<>(List.of(KEYS));
    table.columns().stream().map(Column::name).forEach(names::add);
    return String.join(", ", names);
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
