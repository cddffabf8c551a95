package io.anabranch.backend.execute;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the weight of a blank under a collation, by its id. */
final class PadWeightQuery {

  private static final int BINARY = 63;
  private static final byte[] NO_PAD = {};

  private final CatalogQuery catalog;
  private final int id;

  PadWeightQuery(CatalogQuery catalog, int id) {
    this.catalog = catalog;
    this.id = id;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException for PAD SPACE collations of several levels
   *     (accents, then case): their weights stand level after level, so that a value cannot be
   *     padded at its end
   */
  byte[] answer() {
    if (id == BINARY) {
      return NO_PAD;
    }
    List<@Nullable String> names = names();
    String collation = names.get(0);
    String charset = names.get(1);
    if (collation == null || charset == null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing strings of the collation with id " + id, "use another collation");
    }
    if (collation.contains("nopad") || collation.contains("_0900_")) {
      return NO_PAD;
    }
    String sql =
        "SELECT HEX(WEIGHT_STRING(@0)), HEX(WEIGHT_STRING(@1)), HEX(WEIGHT_STRING(@2))"
            .replace("@0", character(" ", charset, collation))
            .replace("@1", character("1", charset, collation))
            .replace("@2", character("11", charset, collation));
    List<@Nullable String> weights = catalog.rows(sql).getFirst();
    String blank = weights.get(0);
    String one = weights.get(1);
    if (blank == null || one == null || !(one + one).equals(weights.get(2))) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing strings of collation " + collation,
          "use a NO PAD collation or one that ignores accents and case");
    }
    return HexFormat.of().parseHex(blank);
  }

  /** Name and character set; MariaDB's newer collations are listed by character set elsewhere. */
  private List<@Nullable String> names() {
    List<List<@Nullable String>> rows =
        catalog.rows(
            "SELECT COLLATION_NAME, CHARACTER_SET_NAME FROM information_schema.COLLATIONS"
                + " WHERE ID = "
                + id);
    if (!rows.isEmpty() && rows.getFirst().get(1) != null) {
      return rows.getFirst();
    }
    rows =
        catalog.rows(
            "SELECT FULL_COLLATION_NAME, CHARACTER_SET_NAME"
                + " FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY WHERE ID = "
                + id);
    if (rows.isEmpty()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "comparing strings of the unknown collation with id " + id, "use another collation");
    }
    return rows.getFirst();
  }

  private static String character(String text, String charset, String collation) {
    return "CONVERT('" + text + "' USING " + charset + ") COLLATE " + collation;
  }
}
