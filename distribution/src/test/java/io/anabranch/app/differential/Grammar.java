package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Queries over a {@link Sample}, weighted towards what breaks. */
final class Grammar {

  private final Draw draw;
  private final Sources sources;
  private final Expressions expressions;
  private final Conditions conditions;
  private final Compositions compositions;

  Grammar(Sample sample, Random random) {
    this.draw = new Draw(random);
    this.sources = new Sources(sample, draw);
    this.expressions = new Expressions(draw);
    this.conditions = new Conditions(sample, draw, expressions);
    this.compositions = new Compositions(draw, sources, expressions, conditions);
  }

  Query query() {
    return switch (draw.below(22)) {
      case 0, 1, 2, 3, 4 -> rows(sources.any());
      case 5, 6, 7, 8 -> grouped(sources.any());
      case 9, 10, 11 -> totals(sources.any());
      case 12, 13 -> distinct(sources.any());
      case 14, 15 -> compositions.query();
      case 16 -> compositions.windowed(sources.any());
      case 17, 18 -> finished(sources.any());
      case 19 -> named(sources.any());
      default -> rows(sources.one("ta"));
    };
  }

  private Query rows(Source source) {
    var items = new ArrayList<String>();
    if (draw.once(4)) {
      items.add(draw.once(2) ? "*" : source.aliases().getFirst() + ".*");
    } else {
      for (int i = 1 + draw.below(4); i > 0; i--) {
        items.add(expressions.expression(source) + (draw.once(3) ? " AS x" + i : ""));
      }
    }
    var order = new ArrayList<String>();
    for (int i = draw.below(3); i > 0; i--) {
      order.add(expressions.expression(source) + draw.one("", " DESC", " ASC"));
    }
    boolean total = draw.below(4) > 0;
    if (total) {
      order.add(source.key());
    }
    String after = draw.once(20) ? draw.one(" FOR UPDATE", " LOCK IN SHARE MODE") : "";
    return Query.select(items, source.from())
        .where(conditions.where(source))
        .ordered(order, total)
        .limited(total ? compositions.limit() : "")
        .followedBy(after);
  }

  private Query totals(Source source) {
    var items = new ArrayList<String>();
    for (int i = 1 + draw.below(3); i > 0; i--) {
      items.add(expressions.aggregate(source));
    }
    List<String> having =
        draw.once(8)
            ? List.of(
                draw.one(
                    "COUNT(*) > 3", "COUNT(*) = 0", "SUM(" + expressions.number(source) + ") > 0"))
            : List.of();
    return Query.select(items, source.from())
        .where(conditions.where(source))
        .having(having)
        .ordered(List.of(), true);
  }

  private Query grouped(Source source) {
    var group = new ArrayList<String>();
    group.add(expressions.groupKey(source));
    if (draw.once(3)) {
      group.add(source.qualified(draw, "u"));
    }
    var items = new ArrayList<>(group);
    for (int i = 1 + draw.below(2); i > 0; i--) {
      items.add(expressions.aggregate(source));
    }
    List<String> having =
        draw.once(4)
            ? List.of(
                draw.one(
                    "COUNT(*) > 1",
                    "SUM(" + expressions.number(source) + ") > 3",
                    "MAX(" + expressions.number(source) + ") IS NOT NULL",
                    "COUNT(*) BETWEEN 1 AND " + draw.literal(3)))
            : List.of();
    boolean total = draw.below(3) > 0;
    var order = new ArrayList<String>();
    if (total) {
      if (draw.once(3)) {
        order.add(draw.one("COUNT(*) DESC", "SUM(" + expressions.number(source) + ")"));
      }
      order.addAll(group);
    }
    boolean rollup = draw.once(15) && group.stream().allMatch(key -> key.contains("%"));
    Query query =
        Query.select(items, source.from())
            .where(conditions.where(source))
            .grouped(group, rollup)
            .having(having);
    query = rollup ? query : query.ordered(order, total).limited(total ? compositions.limit() : "");
    return draw.once(12) ? query.headed("SELECT DISTINCT").whole() : query;
  }

  /** GROUP BY and ORDER BY by alias or position. */
  private Query named(Source source) {
    String key = expressions.groupKey(source);
    String second = source.qualified(draw, "u");
    String aggregate = expressions.aggregate(source);
    String group = draw.one("1, 2", "x, y", "x, 2", key + ", y");
    String order = draw.one("1, 2", "x, y", "x DESC, 2", "z IS NULL, 1, 2", "COUNT(*), 1, 2");
    return Query.select(
            List.of(key + " AS x", second + " AS y", aggregate + " AS z"), source.from())
        .where(conditions.where(source))
        .grouped(List.of(group), false)
        .having(
            draw.once(3) ? List.of(draw.one("z IS NOT NULL", "y > 1", "COUNT(*) > 1")) : List.of())
        .ordered(List.of(order), true)
        .limited(compositions.limit())
        .whole();
  }

  /** Expressions over aggregates. */
  private Query finished(Source source) {
    String drawn = expressions.number(source);
    // its zeros go in CONCAT where a server takes a temporary table
    boolean isFaulty = drawn.endsWith("i_zero");
    String number = isFaulty ? source.aliases().getFirst() + ".n" : drawn;
    String sum = "SUM(" + number + ")";
    var items =
        List.of(
            draw.one(
                "IFNULL(" + sum + ", 0)",
                sum + " / COUNT(*)",
                "COUNT(*) * 2 + 1",
                "ROUND(AVG(" + number + "), 1)",
                "CASE WHEN COUNT(*) > 2 THEN 'many' ELSE 'few' END",
                "COALESCE(MAX(" + number + "), -1) + 1",
                "MAX(" + source.column(draw, kind -> kind == Kind.TEMPORAL) + ") IS NULL",
                "CONCAT(MIN(" + expressions.string(source) + "), '-')",
                "CONCAT(MIN(" + number + "), '-', MAX(" + number + "))"));
    List<String> group =
        draw.once(2)
            ? List.of(draw.once(2) ? source.qualified(draw, "u") : expressions.groupKey(source))
            : List.of();
    List<String> having =
        draw.once(3)
            ? List.of(draw.one("COUNT(*) > 2 OR " + sum + " IS NULL", sum + " > 2 * COUNT(*)"))
            : List.of();
    var order = new ArrayList<String>();
    if (!group.isEmpty() && draw.once(3)) {
      order.add(sum + " / COUNT(*)" + draw.one("", " DESC"));
    }
    order.addAll(group);
    return Query.select(items, source.from())
        .where(conditions.where(source))
        .grouped(group, false)
        .having(having)
        .ordered(order, true);
  }

  private Query distinct(Source source) {
    var items = new ArrayList<String>();
    for (int i = 1 + draw.below(2); i > 0; i--) {
      items.add(expressions.groupKey(source));
    }
    boolean total = draw.once(2);
    return Query.select(items, source.from())
        .headed("SELECT DISTINCT")
        .where(conditions.where(source))
        .ordered(total ? items : List.of(), total)
        .limited(total ? compositions.limit() : "")
        .whole();
  }
}
