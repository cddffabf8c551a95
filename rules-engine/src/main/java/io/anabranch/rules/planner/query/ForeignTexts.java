package io.anabranch.rules.planner.query;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.value.StoredIn;

/**
 * Texts of other character sets for columns of bytes: rows are read in one character set before
 * they are written, and so have not got the bytes that a server would store.
 */
public final class ForeignTexts {

  private ForeignTexts() {}

  /**
   * @param value what is stored
   * @param column where
   */
  public static void refuse(Analysis analysis, Quotients values, Span value, Column column) {
    boolean takesBytes =
        switch (StoredIn.of(column.type(), false).kind()) {
          case BITS, SHORT_BYTES, LONG_BYTES -> true;
          case ANY, WHOLE, NUMBER, YEAR, MOMENT, SHORT_TEXT, LONG_TEXT -> false;
        };
    if (takesBytes && !values.mentions(value, "BINARY") && areIn(analysis, values, value)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "text of another character set for '" + column.name() + "'", "CAST it AS BINARY");
    }
  }

  private static boolean areIn(Analysis analysis, Quotients values, Span value) {
    return analysis.sharded().stream()
        .flatMap(table -> analysis.task().catalog().table(table.table().nodes()).stream())
        .flatMap(table -> table.columns().stream())
        .anyMatch(column -> column.isForeignText() && values.mentionsColumn(value, column.name()));
  }
}
