package io.anabranch.app.differential;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What comparing two answers gave.
 *
 * @param detail the reason of a refusal, both answers of a difference
 */
record Verdict(Outcome outcome, String detail) {

  enum Outcome {
    SAME,
    REFUSED,
    DIFFERENT
  }

  /** Where the columns of a result come from, as servers tell it. */
  private enum Origins {
    ONE,
    /** The optimiser may have merged a derived table or made an outer join an inner one. */
    OPTIMISED,
    /** The same; behind a temporary table columns are called as their aliases. */
    OF_VIEWS
  }

  /** Relative difference that the order of adding makes in doubles. */
  private static final double ROUNDING = 1e-11;

  /** Classes of whole numbers; of a YEAR, too. */
  private static final Set<String> WHOLE =
      Set.of(
          "java.lang.Short",
          "java.lang.Integer",
          "java.lang.Long",
          "java.math.BigInteger",
          "java.sql.Date");

  private static final Pattern NUMBER =
      Pattern.compile("(?i)(?:short|integer|long|biginteger) (-?\\d+)");
  private static final Pattern YEAR = Pattern.compile("(?i)date (\\d{4})-01-01.*");

  private static final Verdict SAME = new Verdict(Outcome.SAME, "");

  static Verdict of(Query query, Transcript proxied, Transcript plain) {
    if (isOverflow(proxied) || isOverflow(plain)) {
      return SAME;
    }
    if (proxied.isRefusal() && !plain.isError()) {
      return new Verdict(Outcome.REFUSED, reason(proxied.head()));
    }
    if (proxied.isError() || plain.isError()) {
      // The first shard to fail may name another row than the plain database.
      boolean same =
          proxied.isError()
              && plain.isError()
              && (proxied.isRefusal()
                  || proxied.withoutMessage().head().equals(plain.withoutMessage().head()));
      return same ? SAME : different(proxied, plain);
    }
    boolean folds =
        !query.group().isEmpty()
            || query.sql().contains("DISTINCT")
            || query.sql().contains("MIN(")
            || query.sql().contains("MAX(")
            || query.sql().contains("UNION");
    Transcript left = folds ? proxied.folded() : proxied.withoutWarnings();
    Transcript right = folds ? plain.folded() : plain.withoutWarnings();
    List<String> rows = rows(left, query.total());
    List<String> expected = rows(right, query.total());
    Origins origins = origins(query);
    boolean sameColumns = columns(left.head(), origins).equals(columns(right.head(), origins));
    return sameColumns && sameRows(rows, expected) ? SAME : different(proxied, plain);
  }

  private static List<String> rows(Transcript told, boolean isOrdered) {
    Stream<String> rows = told.rows().stream();
    Stream<String> alike = DatabaseServers.areMySql() ? rows.map(Verdict::ofOneType) : rows;
    return (isOrdered ? alike : alike.sorted()).toList();
  }

  private static Origins origins(Query query) {
    if (query.from().matches(".*\\bv[a-z]\\b.*")) {
      return Origins.OF_VIEWS;
    }
    boolean merges =
        query.sql().contains("WITH ") || query.from().matches(".*(LEFT|RIGHT|\\(SELECT) .*");
    return merges ? Origins.OPTIMISED : Origins.ONE;
  }

  /** Which rows beyond the LIMIT an expression is computed for is the server's choice. */
  private static boolean isOverflow(Transcript transcript) {
    return transcript.head().startsWith("error 1690 ");
  }

  private static Verdict different(Transcript proxied, Transcript plain) {
    return new Verdict(Outcome.DIFFERENT, "proxied:\n" + text(proxied) + "plain:\n" + text(plain));
  }

  private static String text(Transcript transcript) {
    var text = new StringBuilder(transcript.head().stripTrailing()).append('\n');
    transcript.rows().stream().limit(30).forEach(row -> text.append("  ").append(row).append('\n'));
    return text.toString();
  }

  /**
   * Columns without what the server itself tells in two ways: lengths and nullability of
   * expressions, which a temporary table changes, and whether a LONGTEXT is a JSON. MySQL's
   * temporary tables make an INT or a BIGINT of each whole number that is computed, and of a year.
   *
   * @param origins whether the server tells in one way where columns come from
   */
  private static String columns(String head, Origins origins) {
    return head.lines()
        .map(line -> line.split("\\|", -1))
        .map(
            column ->
                column.length < 6
                    ? String.join("|", column)
                    : origins != Origins.ONE || column[2].isEmpty()
                        ? column[0] + "|" + name(column, origins) + "|" + withoutLength(column[4])
                        : String.join("|", column).replace("|JSON|", "|LONGTEXT|"))
        .collect(Collectors.joining("\n"));
  }

  private static String name(String[] column, Origins origins) {
    return origins == Origins.OF_VIEWS ? "" : column[1];
  }

  /** The driver calls a TINYINT of length 1 a Boolean. */
  private static String withoutLength(String type) {
    String told = type.replace("java.lang.Boolean", "java.lang.Integer");
    boolean isWhole = DatabaseServers.areMySql() && WHOLE.contains(told);
    return isWhole ? "java.lang.Long" : told;
  }

  private static boolean sameRows(List<String> left, List<String> right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!left.get(i).equals(right.get(i)) && !nearly(left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Equal but for the last digits of doubles. */
  private static boolean nearly(String left, String right) {
    String[] a = left.split("\\|", -1);
    String[] b = right.split("\\|", -1);
    boolean same = a.length == b.length;
    for (int i = 0; i < a.length && same; i++) {
      same = a[i].equals(b[i]) || nearlyCell(a[i], b[i]);
    }
    return same;
  }

  /** A whole number that MySQL has put into a temporary table or not, or a JSON. */
  private static String ofOneType(String row) {
    return Stream.of(row.split("\\|", -1))
        .map(cell -> json(number(cell)))
        .collect(Collectors.joining("|"));
  }

  private static String number(String cell) {
    return YEAR.matcher(NUMBER.matcher(cell).replaceFirst("$1")).replaceFirst("$1");
  }

  private static String json(String cell) {
    return cell.startsWith("0x7b") || cell.startsWith("0x5b")
        ? "'" + new String(HexFormat.of().parseHex(cell.substring(2)), StandardCharsets.UTF_8) + "'"
        : cell;
  }

  private static boolean nearlyCell(String left, String right) {
    String kind = "double ";
    if (!left.toLowerCase(Locale.ROOT).startsWith(kind)
        || !right.toLowerCase(Locale.ROOT).startsWith(kind)) {
      return false;
    }
    double a = Double.parseDouble(left.substring(kind.length()));
    double b = Double.parseDouble(right.substring(kind.length()));
    return Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b));
  }

  private static String reason(String head) {
    int from = head.indexOf("AB2");
    return head.substring(from).replaceAll("[0-9]{2,}", "n").replaceAll("'[^']*'", "'…'").strip();
  }
}
