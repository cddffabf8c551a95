package io.anabranch.app.differential;

import java.util.List;

/** Draws what stands behind FROM. */
final class Sources {

  private final Sample sample;
  private final Draw draw;

  Sources(Sample sample, Draw draw) {
    this.sample = sample;
    this.draw = draw;
  }

  Source any() {
    return switch (draw.below(24)) {
      case 0, 1 -> joined("ta", "tb", "JOIN", "a.u = b.u AND a.k = b.k");
      case 2 -> joined("ta", "tb", "LEFT JOIN", "a.u = b.u AND a.k = b.k");
      case 3 -> joined("ta", "tc", draw.one("JOIN", "LEFT JOIN"), "a.n = b.n");
      case 4 -> joined("ta", "td", draw.one("JOIN", "LEFT JOIN", "RIGHT JOIN"), "a.u = b.u");
      case 5 -> joined("ta", "ts", draw.one("JOIN", "LEFT JOIN"), "a.u = b.u");
      case 6 -> joined("ta", "ta", "JOIN", "a.u = b.u AND a.k = b.k AND a.n < b.n");
      case 7, 8 -> one("tc");
      case 9 -> conditioned();
      case 10 -> three();
      case 11 -> joined("tb", "tc", draw.one("JOIN", "LEFT JOIN", "RIGHT JOIN"), "a.u = b.u");
      case 12 -> listed();
      case 13, 14 -> view();
      case 15 -> joinedView();
      default -> one("ta");
    };
  }

  /** A view, of whatever it is made. */
  private Source view() {
    String name = draw.one("va", "vb", "vc", "vd", "vg", "vn", "vs", "vu", "vx");
    return of(name, draw.once(2) ? "a" : name);
  }

  private Source of(String view, String alias) {
    String from = alias.equals(view) ? view : view + " AS " + alias;
    return new Source(from, List.of(sample.view(view)), List.of(alias));
  }

  private Source joinedView() {
    String left = draw.one("va", "vb", "vg", "vn", "vu", "vx");
    String right = draw.one("ta", "tb", "tc", "td", "ts");
    String join = draw.one(" a JOIN ", " a LEFT JOIN ");
    String on = draw.one("a.u = b.u AND a.k = b.k", "a.u = b.u", "a.n = b.n");
    return new Source(
        left + join + right + " b ON " + on,
        List.of(sample.view(left), sample.table(right)),
        List.of("a", "b"));
  }

  /** One table without an alias. */
  Source plain(String table) {
    return new Source(table, List.of(sample.table(table)), List.of(table));
  }

  /** One table as {@code a}. */
  Source aliased(String table) {
    return new Source(table + " AS a", List.of(sample.table(table)), List.of("a"));
  }

  /** One table, with an alias or without. */
  Source one(String table) {
    return draw.once(2) ? plain(table) : aliased(table);
  }

  /** An outer join whose condition says more than which rows belong together. */
  private Source conditioned() {
    String more =
        draw.one(
            " AND a.n > " + draw.below(10),
            " AND b.n > " + draw.below(10),
            " AND b.k = " + draw.literal(draw.below(6)),
            " AND a.k IN (1, " + draw.below(6) + ")",
            " AND (a.u = 1 OR b.n % 2 = 0)");
    return joined(
        "ta",
        draw.one("tb", "tc", "td", "ts"),
        draw.one("LEFT JOIN", "RIGHT JOIN"),
        draw.one("a.u = b.u AND a.k = b.k", "a.u = b.u") + more);
  }

  private Source three() {
    String two = "ta a " + draw.one("JOIN", "LEFT JOIN") + " tb b ON a.u = b.u AND a.k = b.k";
    String more = draw.one(" JOIN ", " LEFT JOIN ");
    return switch (draw.below(3)) {
      case 0 -> and(two + more + "td c ON c.u = a.u", "td");
      case 1 -> and(two + more + "tb c ON c.u = b.u AND c.k = b.k AND c.n < b.n", "tb");
      default -> and(two + more + "tc c ON c.u = b.u AND c.n = a.n", "tc");
    };
  }

  private Source and(String from, String third) {
    return new Source(
        from,
        List.of(sample.table("ta"), sample.table("tb"), sample.table(third)),
        List.of("a", "b", "c"));
  }

  private Source listed() {
    String from =
        draw.one(
            "ta a JOIN tb b USING (u, k)",
            "(ta a JOIN tb b ON a.u = b.u AND a.k = b.k)",
            "ta a INNER JOIN tb b ON (a.u, a.k) = (b.u, b.k)",
            "ta a CROSS JOIN tb b ON a.k = b.k AND b.u = a.u AND a.u < 3");
    return new Source(from, List.of(sample.table("ta"), sample.table("tb")), List.of("a", "b"));
  }

  private Source joined(String left, String right, String join, String on) {
    return new Source(
        left + " a " + join + " " + right + " b ON " + on,
        List.of(sample.table(left), sample.table(right)),
        List.of("a", "b"));
  }
}
