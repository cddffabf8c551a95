package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.placement.KeyColumn;
import io.anabranch.rules.placement.NumberedColumn;
import io.anabranch.rules.value.SqlValue;
import org.jspecify.annotations.Nullable;

/**
 * A column whose numbers the databases must not make: each would make its own.
 *
 * @param column lower-case name
 * @param numbered if 0 asks for a number, as NULL does; else null
 */
record AutoIncrement(String column, @Nullable NumberedColumn numbered) {

  /**
   * @param given null: it is not known
   * @throws RefusedException if a row with this value would be given a number
   */
  void refuse(@Nullable SqlValue given) {
    if (KeyColumn.isWanted(given, numbered)) {
      throw left(column);
    }
  }

  static RefusedException left(String column) {
    return ErrorCatalogue.UNROUTABLE_WRITE.refuse(
        "AUTO_INCREMENT column '" + column + "' of a sharded table gets no value",
        "give it one or configure a keyGenerateStrategy for it");
  }
}
