package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.testkit.DatabaseServers;
import java.util.List;

/** Draws select items, keys of groups and aggregates. */
final class Expressions {

  private static final List<Kind> NUMBERS = List.of(Kind.INTEGER, Kind.DECIMAL);

  private final Draw draw;

  Expressions(Draw draw) {
    this.draw = draw;
  }

  String aggregate(Source source) {
    String number = number(source);
    return switch (draw.below(19)) {
      case 0, 1 -> "COUNT(*)";
      case 2 -> "COUNT(" + source.column(draw, kind -> true) + ")";
      case 3, 4 -> "SUM(" + number + ")";
      case 5 -> "AVG(" + number + ")";
      case 6 -> extreme("MIN(", source, source.column(draw, kind -> kind != Kind.JSON));
      case 7 -> extreme("MAX(", source, source.column(draw, kind -> kind != Kind.JSON));
      case 8 -> "COUNT(DISTINCT " + groupKey(source) + ")";
      case 9 -> draw.one("SUM", "AVG") + "(DISTINCT " + number + ")";
      case 10 -> draw.one("BIT_OR(", "BIT_AND(", "BIT_XOR(") + source.qualified(draw, "n") + ")";
      case 11 -> concatenated(source);
      case 12 ->
          draw.one("STDDEV_POP(", "VAR_SAMP(", "STD(", "VARIANCE(")
              + source.qualified(draw, draw.one("u", "n"))
              + ")";
      case 13 -> "SUM(" + number + " + 1)";
      case 14 -> extreme(draw.one("MAX(", "MIN("), source, expression(source));
      case 15 -> "SUM(" + source.qualified(draw, "u") + " = " + draw.below(5) + ")";
      case 16 -> "SUM(IF(" + number + " > 3, 1, 0))";
      case 17 -> "AVG(" + source.column(draw, kind -> kind == Kind.FLOATING) + ")";
      default ->
          "COUNT(DISTINCT "
              + source.qualified(draw, "u")
              + ", "
              + source.qualified(draw, "k")
              + ")";
    };
  }

  /**
   * Of BIT, BOOLEAN, YEAR and ZEROFILL the server itself answers in two ways, by whether it has
   * taken a temporary table; MySQL of FLOAT, too.
   */
  private static String extreme(String function, Source source, String of) {
    boolean isPlain =
        of.matches(".*\\.(x_bit|x_long|i_bool|i_zero|t_year)")
            || (DatabaseServers.areMySql() && of.endsWith(".f_float"));
    return function + (isPlain ? source.aliases().getFirst() + ".n" : of) + ")";
  }

  private String concatenated(Source source) {
    String column =
        source.column(
            draw, kind -> kind != Kind.BINARY && kind != Kind.FLOATING && kind != Kind.BIT);
    return draw.one(
        "GROUP_CONCAT("
            + column
            + " ORDER BY "
            + source.key()
            + draw.one("", " SEPARATOR '|'")
            + ")",
        "GROUP_CONCAT(DISTINCT n ORDER BY n DESC)".replace("n", source.aliases().getFirst() + ".n"),
        "JSON_ARRAYAGG(" + source.aliases().getFirst() + ".u ORDER BY " + source.key() + ")");
  }

  String number(Source source) {
    return draw.once(3)
        ? source.qualified(draw, draw.one("u", "n"))
        : source.column(draw, NUMBERS::contains);
  }

  String groupKey(Source source) {
    return switch (draw.below(7)) {
      case 0 -> source.qualified(draw, "u");
      case 1 -> source.qualified(draw, "n") + (source.hasView() ? "" : " % 3");
      case 2 -> source.qualified(draw, "k");
      // BIT becomes BIGINT wherever the server takes a temporary table
      default ->
          source.column(draw, kind -> kind != Kind.JSON && kind != Kind.BINARY && kind != Kind.BIT);
    };
  }

  String expression(Source source) {
    return switch (draw.below(16)) {
      case 0 -> source.qualified(draw, draw.one("u", "k", "n"));
      case 1 ->
          number(source) + draw.one(" + ", " - ", " * ", " / ", " DIV ", " % ") + draw.below(5);
      case 2 -> "IFNULL(" + string(source) + ", 'none')";
      case 3 -> "CASE WHEN " + source.qualified(draw, "u") + " > 2 THEN 'x' ELSE 'y' END";
      case 4 -> "-" + number(source);
      case 5 -> draw.one("UPPER(", "LENGTH(", "CHAR_LENGTH(", "HEX(") + string(source) + ")";
      case 6 -> "CONCAT(" + string(source) + ", '-', " + number(source) + ")";
      case 7 -> "COALESCE(" + number(source) + ", " + number(source) + ", 0)";
      case 8 ->
          "CAST("
              + number(source)
              + " AS "
              + draw.one("CHAR", "DECIMAL(40, 5)", "SIGNED", "DOUBLE")
              + ")";
      case 9 -> "NULLIF(" + source.qualified(draw, "u") + ", " + draw.below(4) + ")";
      case 10 -> "IF(" + number(source) + " IS NULL, NULL, " + source.qualified(draw, "n") + ")";
      case 11 ->
          draw.one("YEAR(", "DATE(", "TIME(", "LAST_DAY(")
              + source.column(draw, kind -> kind == Kind.TEMPORAL)
              + ")";
      default -> source.column(draw, kind -> kind != Kind.JSON && kind != Kind.BIT);
    };
  }

  String string(Source source) {
    return source.column(draw, kind -> kind == Kind.STRING);
  }
}
