package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * The condition that finds a row by its values again: {@code (`a` = … AND `b` = …)}. Used once.
 *
 * <p>Texts of a collation that calls different ones equal are compared by their bytes besides: an
 * equal text may be another row, of another node.
 */
public final class RowCondition {

  /** Forms and vectors: their literals are bytes, which equal none of them. */
  private static final Set<String> NOT_TOLD =
      Set.of(
          "vector",
          "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection",
          "geomcollection");

  private final List<String> pieces = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();
  private final StringBuilder open;

  /**
   * @param open what stands in front of it
   */
  public RowCondition(String open) {
    this.open = new StringBuilder(open);
  }

  /** Whether {@code =} finds what a column holds by its literal. */
  public static boolean canTell(Column column) {
    String word = column.type().toLowerCase(Locale.ROOT).split("[ (]", 2)[0];
    return column.collation() != null || !NOT_TOLD.contains(word);
  }

  /** A type of its own, which no text equals; elsewhere documents are texts. */
  private static boolean isDocument(Column column) {
    return column.collation() == null && column.type().equalsIgnoreCase("json");
  }

  /** {@code column = value}, by the column's collation. */
  public RowCondition equal(String column, int position) {
    and().append(TableNames.quoted(column)).append(" = ");
    return value(position);
  }

  /** The same of a text, by its bytes. */
  public RowCondition exact(Column column, int position) {
    if (isDocument(column)) {
      and().append("CAST(CAST(").append(TableNames.quoted(column.name()));
      open.append(" AS CHAR CHARACTER SET utf8mb4) AS BINARY) = CAST(CONVERT(");
      value(position);
      open.append(" USING utf8mb4) AS BINARY)");
      return this;
    }
    equal(column.name(), position);
    String collation = column.collation();
    if (collation == null) {
      return this;
    }
    and().append("CAST(").append(TableNames.quoted(column.name()));
    open.append(" AS BINARY) = CAST(CONVERT(");
    value(position);
    open.append(" USING ").append(charset(collation)).append(") AS BINARY)");
    return this;
  }

  /** The character set of a collation. */
  static String charset(String collation) {
    int end = collation.indexOf('_');
    return end < 0 ? collation : collation.substring(0, end);
  }

  private StringBuilder and() {
    return positions.isEmpty() ? open : open.append(" AND ");
  }

  private RowCondition value(int position) {
    pieces.add(open.toString());
    open.setLength(0);
    positions.add(position);
    return this;
  }

  /**
   * The pieces of a {@link RowTarget}.
   *
   * @param close what stands behind it
   */
  public List<byte[]> pieces(String close, Function<String, byte[]> encoding) {
    var all = new ArrayList<byte[]>();
    pieces.forEach(piece -> all.add(encoding.apply(piece)));
    all.add(encoding.apply(open + close));
    return all;
  }

  /** Positions of their values in the row. */
  public int[] positions() {
    return positions.stream().mapToInt(Integer::intValue).toArray();
  }
}
