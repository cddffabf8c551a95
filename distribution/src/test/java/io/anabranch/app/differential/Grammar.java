package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Column;
import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.app.differential.Sample.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Queries over a {@link Sample}, weighted towards what breaks. */
final class Grammar {

  private static final List<Kind> NUMBERS = List.of(Kind.INTEGER, Kind.DECIMAL);

  private final Sample sample;
  private final Random random;

  Grammar(Sample sample, Random random) {
    this.sample = sample;
    this.random = random;
  }

  /** Tables in FROM with their aliases. */
  private record Source(String from, List<Table> tables, List<String> aliases) {
    String key() {
      var keys = new ArrayList<String>();
      for (String alias : aliases) {
        keys.add(alias + ".u");
        keys.add(alias + ".k");
        keys.add(alias + ".n");
      }
      return String.join(", ", keys);
    }
  }

  Query query() {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> rows(source());
      case 5, 6, 7, 8 -> grouped(source());
      case 9, 10, 11 -> totals(source());
      case 12, 13 -> distinct(source());
      case 14 -> union();
      case 15 -> derived();
      case 16 -> common();
      case 17 -> windowed(source());
      case 18 -> finished(source());
      default -> rows(single("ta"));
    };
  }

  /** Groups whose select list, HAVING or order is computed from them. */
  Query computed() {
    Source source = random.nextInt(3) == 0 ? source() : single("ta");
    return random.nextInt(3) == 0 ? grouped(source) : finished(source);
  }

  private Source source() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> joined("ta", "tb", "JOIN", "a.u = b.u AND a.k = b.k");
      case 2 -> joined("ta", "tb", "LEFT JOIN", "a.u = b.u AND a.k = b.k");
      case 3 -> joined("ta", "tc", one("JOIN", "LEFT JOIN"), "a.k = b.k");
      case 4 -> joined("ta", "td", one("JOIN", "LEFT JOIN", "RIGHT JOIN"), "a.u = b.u");
      case 5 -> joined("ta", "ts", one("JOIN", "LEFT JOIN"), "a.k = b.k");
      case 6 -> joined("ta", "ta", "JOIN", "a.u = b.u AND a.k = b.k AND a.n < b.n");
      case 7 -> single("tc");
      default -> single("ta");
    };
  }

  private Source single(String table) {
    return random.nextBoolean()
        ? new Source(table, List.of(sample.table(table)), List.of(table))
        : new Source(table + " AS a", List.of(sample.table(table)), List.of("a"));
  }

  private Source joined(String left, String right, String join, String on) {
    return new Source(
        left + " a " + join + " " + right + " b ON " + on,
        List.of(sample.table(left), sample.table(right)),
        List.of("a", "b"));
  }

  private Query rows(Source source) {
    var items = new ArrayList<String>();
    if (random.nextInt(4) == 0) {
      items.add(random.nextBoolean() ? "*" : source.aliases().getFirst() + ".*");
    } else {
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        items.add(expression(source) + (random.nextInt(3) == 0 ? " AS x" + i : ""));
      }
    }
    var order = new ArrayList<String>();
    for (int i = random.nextInt(3); i > 0; i--) {
      order.add(expression(source) + one("", " DESC", " ASC"));
    }
    boolean total = random.nextInt(4) > 0;
    if (total) {
      order.add(source.key());
    }
    String after = random.nextInt(20) == 0 ? one(" FOR UPDATE", " LOCK IN SHARE MODE") : "";
    return new Query(
        "",
        "SELECT",
        items,
        source.from(),
        where(source),
        List.of(),
        false,
        List.of(),
        order,
        total ? limit() : "",
        after,
        total);
  }

  private Query totals(Source source) {
    var items = new ArrayList<String>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      items.add(aggregate(source));
    }
    return new Query(
        "",
        "SELECT",
        items,
        source.from(),
        where(source),
        List.of(),
        false,
        List.of(),
        List.of(),
        "",
        "",
        true);
  }

  private Query grouped(Source source) {
    var group = new ArrayList<String>();
    group.add(groupKey(source));
    if (random.nextInt(3) == 0) {
      group.add(qualified(source, "u"));
    }
    var items = new ArrayList<>(group);
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      items.add(aggregate(source));
    }
    var having =
        random.nextInt(4) == 0
            ? List.of(
                one(
                    "COUNT(*) > 1",
                    "SUM(" + number(source) + ") > 3",
                    "MAX(" + number(source) + ") IS NOT NULL",
                    "COUNT(*) BETWEEN 1 AND 3"))
            : List.<String>of();
    boolean total = random.nextInt(3) > 0;
    var order = new ArrayList<String>();
    if (total) {
      if (random.nextInt(3) == 0) {
        order.add(one("COUNT(*) DESC", "SUM(" + number(source) + ")"));
      }
      order.addAll(group);
    }
    boolean rollup = random.nextInt(15) == 0 && group.stream().allMatch(key -> key.contains("%"));
    return new Query(
        "",
        random.nextInt(12) == 0 ? "SELECT DISTINCT" : "SELECT",
        items,
        source.from(),
        where(source),
        group,
        rollup,
        having,
        rollup ? List.of() : order,
        total && !rollup ? limit() : "",
        "",
        total && !rollup);
  }

  /** Expressions over aggregates. */
  private Query finished(Source source) {
    String sum = "SUM(" + number(source) + ")";
    var items =
        List.of(
            one(
                "IFNULL(" + sum + ", 0)",
                sum + " / COUNT(*)",
                "COUNT(*) * 2 + 1",
                "ROUND(AVG(" + number(source) + "), 1)",
                "CASE WHEN COUNT(*) > 2 THEN 'many' ELSE 'few' END",
                "COALESCE(MAX(" + number(source) + "), -1) + 1",
                "CONCAT(MIN(" + number(source) + "), '-', MAX(" + number(source) + "))"));
    List<String> group = random.nextBoolean() ? List.of(qualified(source, "u")) : List.of();
    List<String> having =
        random.nextInt(3) == 0
            ? List.of(one("COUNT(*) > 2 OR " + sum + " IS NULL", sum + " > 2 * COUNT(*)"))
            : List.of();
    var order = new ArrayList<String>();
    if (!group.isEmpty() && random.nextInt(3) == 0) {
      order.add(sum + " / COUNT(*)" + one("", " DESC"));
    }
    order.addAll(group);
    return new Query(
        "",
        "SELECT",
        items,
        source.from(),
        where(source),
        group,
        false,
        having,
        order,
        "",
        "",
        true);
  }

  private Query distinct(Source source) {
    var items = new ArrayList<String>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      items.add(groupKey(source));
    }
    boolean total = random.nextBoolean();
    return new Query(
        "",
        "SELECT DISTINCT",
        items,
        source.from(),
        where(source),
        List.of(),
        false,
        List.of(),
        total ? items : List.of(),
        total ? limit() : "",
        "",
        total);
  }

  private Query union() {
    Source left = single("ta");
    Source right = single(one("tb", "tc", "ta"));
    String column = one("u", "k", "n");
    Query first = part(left, column);
    String second = part(right, column).sql();
    return new Query(
        "",
        "SELECT",
        first.items(),
        first.from(),
        first.where(),
        List.of(),
        false,
        List.of(),
        List.of(),
        "",
        one(" UNION ", " UNION ALL ") + second + one("", " ORDER BY 1", " ORDER BY 1 LIMIT 5"),
        false);
  }

  private Query part(Source source, String column) {
    return new Query(
        "",
        "SELECT",
        List.of(qualified(source, column)),
        source.from(),
        where(source),
        List.of(),
        false,
        List.of(),
        List.of(),
        "",
        "",
        false);
  }

  private Query derived() {
    Source inner = single("ta");
    String body =
        "SELECT "
            + qualified(inner, "u")
            + " AS du, COUNT(*) AS c, MAX("
            + number(inner)
            + ") AS m FROM "
            + inner.from()
            + conditions(where(inner))
            + " GROUP BY "
            + qualified(inner, "u");
    return random.nextBoolean()
        ? new Query(
            "",
            "SELECT",
            List.of("d.du", "d.c", "d.m"),
            "(" + body + ") d",
            List.of("d.c > 0"),
            List.of(),
            false,
            List.of(),
            List.of("d.du"),
            limit(),
            "",
            true)
        : new Query(
            "",
            "SELECT",
            List.of("x.u", "x.k", "d.c"),
            "tb x JOIN (" + body + ") d ON d.du = x.u",
            List.of(),
            List.of(),
            false,
            List.of(),
            List.of("x.u", "x.k", "x.n"),
            limit(),
            "",
            true);
  }

  private Query common() {
    Source inner = single("ta");
    String name = one("w", "tb", "ta");
    String with =
        "WITH "
            + name
            + " AS (SELECT "
            + qualified(inner, "u")
            + ", "
            + qualified(inner, "k")
            + ", "
            + qualified(inner, "n")
            + " FROM "
            + inner.from()
            + conditions(where(inner))
            + ") ";
    return new Query(
        with,
        "SELECT",
        List.of("q.u", "q.k", "q.n"),
        name + " q",
        List.of(),
        List.of(),
        false,
        List.of(),
        List.of("q.u", "q.k", "q.n"),
        limit(),
        "",
        true);
  }

  private Query windowed(Source source) {
    String call =
        one(
            "ROW_NUMBER() OVER (ORDER BY " + source.key() + ")",
            "COUNT(*) OVER (PARTITION BY " + qualified(source, "u") + ")",
            "SUM("
                + number(source)
                + ") OVER (PARTITION BY "
                + qualified(source, "u")
                + " ORDER BY "
                + source.key()
                + ")");
    return new Query(
        "",
        "SELECT",
        List.of(call + " AS w"),
        source.from(),
        where(source),
        List.of(),
        false,
        List.of(),
        List.of(source.key()),
        limit(),
        "",
        true);
  }

  private String aggregate(Source source) {
    String number = number(source);
    return switch (random.nextInt(16)) {
      case 0, 1 -> "COUNT(*)";
      case 2 -> "COUNT(" + column(source, kind -> true) + ")";
      case 3, 4 -> "SUM(" + number + ")";
      case 5 -> "AVG(" + number + ")";
      case 6 -> "MIN(" + column(source, kind -> kind != Kind.JSON) + ")";
      case 7 -> "MAX(" + column(source, kind -> kind != Kind.JSON) + ")";
      case 8 -> "COUNT(DISTINCT " + groupKey(source) + ")";
      case 9 -> "SUM(DISTINCT " + number + ")";
      case 10 -> one("BIT_OR(", "BIT_AND(", "BIT_XOR(") + qualified(source, "n") + ")";
      case 11 ->
          "GROUP_CONCAT("
              + column(
                  source, kind -> kind != Kind.BINARY && kind != Kind.FLOATING && kind != Kind.BIT)
              + " ORDER BY "
              + source.key()
              + one("", " SEPARATOR '|'")
              + ")";
      case 12 ->
          one("STDDEV_POP(", "VAR_SAMP(", "STD(") + qualified(source, one("u", "k", "n")) + ")";
      case 13 -> "SUM(" + number + " + 1)";
      case 14 -> "MAX(" + expression(source) + ")";
      default -> "COUNT(DISTINCT " + qualified(source, "u") + ", " + qualified(source, "k") + ")";
    };
  }

  private String number(Source source) {
    return random.nextInt(3) == 0
        ? qualified(source, one("u", "k", "n"))
        : column(source, NUMBERS::contains);
  }

  private String groupKey(Source source) {
    return switch (random.nextInt(5)) {
      case 0 -> qualified(source, "u");
      case 1 -> qualified(source, "k") + " % 3";
      default -> column(source, kind -> kind != Kind.JSON && kind != Kind.BINARY);
    };
  }

  private String expression(Source source) {
    return switch (random.nextInt(9)) {
      case 0 -> qualified(source, one("u", "k", "n"));
      case 1 -> number(source) + one(" + ", " - ", " * ") + random.nextInt(5);
      case 2 -> "IFNULL(" + column(source, kind -> kind == Kind.STRING) + ", 'none')";
      case 3 -> "CASE WHEN " + qualified(source, "u") + " > 2 THEN 'x' ELSE 'y' END";
      case 4 -> "-" + number(source);
      default -> column(source, kind -> kind != Kind.JSON && kind != Kind.BIT);
    };
  }

  /** A column of a wanted kind; {@code n} where there is none. */
  private String column(Source source, Predicate<Kind> wanted) {
    int table = random.nextInt(source.tables().size());
    List<Column> columns =
        source.tables().get(table).columns().stream().filter(c -> wanted.test(c.kind())).toList();
    String name = columns.isEmpty() ? "n" : columns.get(random.nextInt(columns.size())).name();
    return source.aliases().get(table) + "." + name;
  }

  private String qualified(Source source, String column) {
    return source.aliases().get(random.nextInt(4) == 0 ? source.aliases().size() - 1 : 0)
        + "."
        + column;
  }

  private List<String> where(Source source) {
    var conditions = new ArrayList<String>();
    for (int i = random.nextInt(3); i > 0; i--) {
      conditions.add(
          switch (random.nextInt(12)) {
            case 0 -> "(" + key(source) + " OR " + key(source) + ")";
            case 1 -> "NOT (" + key(source) + ")";
            case 2 -> other(source);
            case 3 -> "(" + other(source) + " OR " + key(source) + ")";
            case 4 -> subquery(source);
            default -> key(source);
          });
    }
    return conditions;
  }

  private static String conditions(List<String> where) {
    return where.isEmpty() ? "" : " WHERE " + String.join(" AND ", where);
  }

  private String key(Source source) {
    String alias = source.aliases().get(random.nextInt(source.aliases().size()));
    String name = alias + "." + one("u", "k");
    int value = random.nextInt(7) - 1;
    return switch (random.nextInt(16)) {
      case 0 -> name + " IN (" + value + ", " + (value + 1) + ", " + (value + 4) + ")";
      case 1 -> name + " BETWEEN " + value + " AND " + (value + 2);
      case 2 -> name + one(" > ", " >= ", " < ", " <= ") + value;
      case 3 -> value + " = " + name;
      case 4 -> name + " = '" + value + one("", ".0", "abc", " ") + "'";
      case 5 -> name + " = " + value + one(".0", ".00", "e0");
      case 6 -> name + " <=> " + one("NULL", Integer.toString(value));
      case 7 -> "(" + alias + ".u, " + alias + ".k) IN ((1, 2), (" + value + ", 3))";
      case 8 -> name + " <> " + value;
      case 9 -> name + " NOT IN (" + value + ", 2)";
      case 10 -> name + " IS " + one("", "NOT ") + "NULL";
      case 11 -> name + " + 0 = " + value;
      default -> name + " = " + value;
    };
  }

  private String other(Source source) {
    return switch (random.nextInt(5)) {
      case 0 -> column(source, kind -> true) + " IS " + one("", "NOT ") + "NULL";
      case 1 -> column(source, kind -> kind == Kind.STRING) + one(" = ", " >= ", " <> ") + "'a'";
      case 2 -> column(source, kind -> kind == Kind.STRING) + " LIKE '" + one("a%", "%", "_") + "'";
      case 3 -> column(source, kind -> kind == Kind.TEMPORAL) + " >= '2000-01-01'";
      default -> number(source) + " > " + random.nextInt(4);
    };
  }

  private String subquery(Source source) {
    String alias = source.aliases().getFirst();
    return switch (random.nextInt(5)) {
      case 0 -> alias + ".k IN (SELECT s.k FROM tc s WHERE s.u = " + random.nextInt(4) + ")";
      case 1 -> "EXISTS (SELECT 1 FROM tb s WHERE s.u = " + alias + ".u AND s.k = " + alias + ".k)";
      case 2 -> alias + ".n > (SELECT MIN(s.n) FROM tc s)";
      case 3 -> "NOT EXISTS (SELECT 1 FROM td s WHERE s.u = " + alias + ".u)";
      default -> alias + ".u NOT IN (SELECT s.u FROM ts s WHERE s.k > 3)";
    };
  }

  private String limit() {
    return switch (random.nextInt(6)) {
      case 0 -> " LIMIT " + random.nextInt(10);
      case 1 -> " LIMIT " + random.nextInt(5) + ", " + random.nextInt(10);
      case 2 -> " LIMIT " + random.nextInt(10) + " OFFSET " + random.nextInt(5);
      default -> "";
    };
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
