package io.anabranch.backend.execute.catalog;

import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.compare.DecidedCollations;
import io.anabranch.rules.sql.TableNames;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what weights are worth under a collation, by its id. */
final class WeightsQuery {

  private static final int BINARY = 63;
  private static final byte[] NO_PAD = {};

  private final CatalogQuery catalog;
  private final int id;

  WeightsQuery(CatalogQuery catalog, int id) {
    this.catalog = catalog;
    this.id = id;
  }

  CollationWeights answer() {
    if (id == BINARY) {
      return CollationWeights.binary();
    }
    List<@Nullable String> names = names();
    String collation = names.get(0);
    String charset = names.get(1);
    return collation == null || charset == null
        ? new CollationWeights(String.valueOf(collation), false, NO_PAD)
        : answer(collation, charset);
  }

  /**
   * @param collation full name
   */
  CollationWeights answer(String collation) {
    int behind = collation.indexOf('_');
    return behind < 0
        ? CollationWeights.binary()
        : answer(collation, collation.substring(0, behind));
  }

  private CollationWeights answer(String collation, String charset) {
    if (!DecidedCollations.contain(collation)) {
      return new CollationWeights(collation, false, NO_PAD);
    }
    if (DecidedCollations.isNoPad(collation)) {
      return new CollationWeights(collation, true, NO_PAD);
    }
    String sql =
        "SELECT HEX(WEIGHT_STRING(@0)), HEX(WEIGHT_STRING(@1)), HEX(WEIGHT_STRING(@2))"
            .replace("@0", character(" ", charset, collation))
            .replace("@1", character("1", charset, collation))
            .replace("@2", character("11", charset, collation));
    List<@Nullable String> weights = catalog.rows(sql).getFirst();
    String blank = weights.get(0);
    String one = weights.get(1);
    // weights that stand level after level cannot be padded at their end
    return blank == null || one == null || !(one + one).equals(weights.get(2))
        ? new CollationWeights(collation, false, NO_PAD)
        : new CollationWeights(collation, true, HexFormat.of().parseHex(blank));
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
    return rows.isEmpty() ? List.of("with the unknown id " + id, "") : rows.getFirst();
  }

  private static String character(String text, String charset, String collation) {
    return "CONVERT(" + TableNames.literal(text) + " USING " + charset + ") COLLATE " + collation;
  }
}
