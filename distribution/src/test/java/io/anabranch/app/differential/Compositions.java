package io.anabranch.app.differential;

import java.util.List;

/** Draws queries that are made of several: set operations, derived tables, WITH, windows. */
final class Compositions {

  private final Draw draw;
  private final Sources sources;
  private final Expressions expressions;
  private final Conditions conditions;

  Compositions(Draw draw, Sources sources, Expressions expressions, Conditions conditions) {
    this.draw = draw;
    this.sources = sources;
    this.expressions = expressions;
    this.conditions = conditions;
  }

  Query query() {
    return switch (draw.below(6)) {
      case 0, 1 -> union();
      case 2 -> derived();
      case 3 -> common();
      case 4 -> recursive();
      default -> scalar();
    };
  }

  String limit() {
    return switch (draw.below(6)) {
      case 0 -> " LIMIT " + draw.below(10);
      case 1 -> " LIMIT " + draw.below(5) + ", " + draw.below(10);
      case 2 -> " LIMIT " + draw.below(10) + " OFFSET " + draw.below(5);
      default -> "";
    };
  }

  private Query union() {
    Source left = sources.one("ta");
    String column = draw.one("u", "k", "n");
    String operation =
        draw.one(" UNION ", " UNION ALL ", " UNION DISTINCT ", " EXCEPT ", " INTERSECT ");
    String second = part(sources.one(draw.one("tb", "tc", "ta", "td")), column).text();
    String third =
        draw.once(4)
            ? draw.one(" UNION ", " UNION ALL ") + part(sources.one("tc"), column).text()
            : "";
    return part(left, column)
        .followedBy(
            operation + second + third + draw.one("", " ORDER BY 1", " ORDER BY 1 LIMIT 5"));
  }

  private Query part(Source source, String column) {
    return Query.select(List.of(source.qualified(draw, column)), source.from())
        .where(conditions.where(source));
  }

  private Query derived() {
    Source inner = sources.one("ta");
    String body =
        "SELECT "
            + inner.qualified(draw, "u")
            + " AS du, COUNT(*) AS c, MAX("
            + expressions.number(inner)
            + ") AS m FROM "
            + inner.from()
            + Conditions.text(conditions.where(inner))
            + " GROUP BY "
            + inner.qualified(draw, "u");
    return switch (draw.below(4)) {
      case 0 ->
          Query.select(List.of("d.du", "d.c", "d.m"), "(" + body + ") d")
              .where(List.of("d.c > 0"))
              .ordered(List.of("d.du"), true)
              .limited(limit());
      case 1 ->
          Query.select(List.of("COUNT(*)", "SUM(d.c)", "MAX(d.m)"), "(" + body + ") d")
              .ordered(List.of(), true);
      case 2 ->
          Query.select(
                  List.of("d.u", "d.n"),
                  "(SELECT u, k, n FROM ta"
                      + Conditions.text(conditions.where(sources.plain("ta")))
                      + " ORDER BY n LIMIT 7) d")
              .where(List.of("d.u = " + draw.below(5)))
              .ordered(List.of("d.u", "d.k", "d.n"), true);
      default ->
          Query.select(List.of("x.u", "x.k", "d.c"), "tb x JOIN (" + body + ") d ON d.du = x.u")
              .ordered(List.of("x.u", "x.k", "x.n"), true)
              .limited(limit());
    };
  }

  private Query common() {
    Source inner = sources.one("ta");
    String name = draw.one("w", "tb", "ta");
    String with =
        "WITH "
            + name
            + " AS (SELECT "
            + inner.qualified(draw, "u")
            + ", "
            + inner.qualified(draw, "k")
            + ", "
            + inner.qualified(draw, "n")
            + " FROM "
            + inner.from()
            + Conditions.text(conditions.where(inner))
            + ") ";
    String from =
        draw.one(name + " q", name + " q JOIN tc c ON c.n = q.n", name + " q, " + name + " r");
    Query query = Query.select(List.of("q.u", "q.k", "q.n"), from).preceded(with);
    return from.contains(", ")
        ? query.where(List.of("q.n = r.n")).ordered(List.of("q.u", "q.k", "q.n"), true)
        : query.ordered(List.of("q.u", "q.k", "q.n"), true).limited(limit());
  }

  private Query recursive() {
    String with =
        "WITH RECURSIVE r AS (SELECT MIN(n) AS n FROM ta UNION ALL SELECT n + 1 FROM r WHERE n < "
            + (3 + draw.below(9))
            + ") ";
    return Query.select(List.of("r.n", "a.u"), "r LEFT JOIN ta a ON a.n = r.n")
        .preceded(with)
        .ordered(List.of("r.n", "a.u", "a.k"), true);
  }

  /** A subquery in the select list. */
  private Query scalar() {
    String inner =
        draw.one(
            "(SELECT COUNT(*) FROM tc c WHERE c.u = a.u)",
            "(SELECT MAX(b.n) FROM tb b WHERE b.u = a.u AND b.k = a.k)",
            "(SELECT MIN(s.n) FROM ts s)",
            "EXISTS (SELECT 1 FROM td d WHERE d.u = a.u AND d.n > 2)",
            "a.n IN (SELECT c.n FROM tc c)");
    var source = sources.aliased("ta");
    return Query.select(List.of("a.u", inner + " AS q"), source.from())
        .where(conditions.where(source))
        .ordered(List.of("a.u", "a.k", "a.n"), true)
        .limited(limit());
  }

  Query windowed(Source source) {
    String partition = "PARTITION BY " + source.qualified(draw, "u");
    String order = " ORDER BY " + source.key();
    String number = expressions.number(source);
    String call =
        draw.one(
            "ROW_NUMBER() OVER (" + order + ")",
            "COUNT(*) OVER (" + partition + ")",
            "SUM(" + number + ") OVER (" + partition + order + ")",
            "RANK() OVER (" + partition + " ORDER BY " + source.qualified(draw, "u") + ")",
            "LAG(" + number + ") OVER (" + partition + order + ")",
            "FIRST_VALUE(" + number + ") OVER (" + order + ")",
            "AVG("
                + source.qualified(draw, "n")
                + ") OVER ("
                + order
                + " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
            "NTILE(3) OVER (" + order + ")");
    List<String> where =
        conditions.where(source).stream()
            .filter(condition -> !source.hasView() || !condition.contains("(SELECT"))
            .toList();
    return Query.select(List.of(call + " AS w"), source.from())
        .where(where)
        .ordered(List.of(source.key()), true)
        .limited(limit());
  }
}
