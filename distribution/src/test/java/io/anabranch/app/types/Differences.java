package io.anabranch.app.types;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What differs between two answers, but for what servers themselves tell in two ways. */
final class Differences {

  private static final Pattern COLUMN =
      Pattern.compile(
          "type (\\S+) collation (\\d+) length (-?\\d+) flags (\\w+) decimals (\\d+) (\\S+)");

  /** UNSIGNED, ZEROFILL. */
  private static final int TOLD_FLAGS = 0x60;

  private static final int BINARY = 0x80;
  private static final int BINARY_COLLATION = 63;

  /** Relative, of doubles: in which order they are added is the server's choice. */
  private static final double ROUNDING = 1e-11;

  /** The same of deviations and variances, of which the rows' order makes more. */
  private static final double ROUNDING_OF_VARIANCES = 1e-6;

  private static final String FLOATING = "-?\\d+(\\.\\d+([eE]-?\\d+)?|[eE]-?\\d+)";

  private Differences() {}

  /** Empty: none. */
  static String between(TypedColumn column, String sql, Answer wanted, Answer seen) {
    return between(column.folds() || sql.contains("AS CHAR"), sql, wanted, seen);
  }

  /**
   * @param folds whether rows may show any of values that are equal
   */
  static String between(boolean folds, String sql, Answer wanted, Answer seen) {
    if (wanted.errno() != 0 || seen.errno() != 0) {
      return wanted.errno() == seen.errno()
          ? ""
          : " wanted %d %s%n seen %d %s%n"
              .formatted(wanted.errno(), wanted.error(), seen.errno(), seen.error());
    }
    var text = new StringBuilder();
    if (!same(wanted.columns(), seen.columns())) {
      text.append(
          " columns wanted %s%n         seen   %s%n".formatted(wanted.columns(), seen.columns()));
    }
    if (!wanted.labels().equals(seen.labels())) {
      text.append(
          " labels wanted %s%n        seen   %s%n".formatted(wanted.labels(), seen.labels()));
    }
    List<String> rows = rows(folds ? wanted.folded() : wanted.rows(), sql);
    List<String> others = rows(folds ? seen.folded() : seen.rows(), sql);
    boolean varies = sql.contains("STD") || sql.contains("VAR");
    if (!near(rows, others, varies ? ROUNDING_OF_VARIANCES : ROUNDING)) {
      text.append(" rows wanted %s%n      seen   %s%n".formatted(rows, others));
    }
    return text.toString();
  }

  private static List<String> rows(List<String> rows, String sql) {
    return sql.contains("ORDER BY") ? rows : rows.stream().sorted().toList();
  }

  private static boolean same(List<String> wanted, List<String> seen) {
    boolean same = wanted.size() == seen.size();
    for (int i = 0; same && i < wanted.size(); i++) {
      same = told(wanted.get(i)).equals(told(seen.get(i)));
    }
    return same;
  }

  /**
   * A column without its length, which follows what the optimiser does; strings of all sizes are
   * one type, whose decimals say nothing.
   */
  private static String told(String column) {
    Matcher parts = COLUMN.matcher(column);
    if (!parts.matches()) {
      throw new IllegalArgumentException(column);
    }
    String type = parts.group(1);
    int collation = Integer.parseInt(parts.group(2));
    int flags = Integer.parseInt(parts.group(4), 16);
    boolean string = type.matches("15|249|25[0-4]|.*BLOB|.*STRING|VARCHAR");
    int kept = flags & (collation == BINARY_COLLATION ? TOLD_FLAGS : TOLD_FLAGS | BINARY);
    return "%s %d %x %s %s"
        .formatted(
            string ? "string" : type,
            collation,
            string ? kept & BINARY : kept,
            string ? "" : parts.group(5),
            parts.group(6));
  }

  private static boolean near(List<String> rows, List<String> others, double rounding) {
    boolean near = rows.size() == others.size();
    for (int i = 0; near && i < rows.size(); i++) {
      String[] a = rows.get(i).split("\\|", -1);
      String[] b = others.get(i).split("\\|", -1);
      near = Arrays.equals(a, b) || nearCells(a, b, rounding);
    }
    return near;
  }

  private static boolean nearCells(String[] a, String[] b, double rounding) {
    boolean near = a.length == b.length;
    for (int i = 0; near && i < a.length; i++) {
      near = a[i].equals(b[i]) || near(a[i], b[i], rounding);
    }
    return near;
  }

  private static boolean near(String a, String b, double rounding) {
    if (!a.matches(FLOATING) || !b.matches(FLOATING)) {
      return false;
    }
    double x = Double.parseDouble(a);
    double y = Double.parseDouble(b);
    return Math.abs(x - y) <= rounding * Math.max(Math.abs(x), Math.abs(y));
  }
}
