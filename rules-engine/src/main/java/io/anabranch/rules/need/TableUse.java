package io.anabranch.rules.need;

import org.jspecify.annotations.Nullable;

/**
 * A table where a statement has it.
 *
 * @param alias the name itself if it has none
 * @param isCertain false: it may have another alias
 * @param isRead within a query; false: in the list of tables that a statement changes
 */
record TableUse(
    @Nullable String schema, String name, String alias, boolean isCertain, boolean isRead) {

  /** Whether columns and targets may mean this table by that name. */
  boolean isMeantBy(String qualifier) {
    return !isCertain || alias.equalsIgnoreCase(qualifier) || name.equalsIgnoreCase(qualifier);
  }
}
