package io.anabranch.rules.need;

import org.jspecify.annotations.Nullable;

/**
 * A table where a statement has it.
 *
 * @param alias the name itself if it has none; empty: nothing in the statement is qualified by it
 * @param isCertain false: it may have another alias
 * @param isRead within a query; false: in the list of tables that a statement changes
 */
public record TableUse(
    @Nullable String schema, String name, String alias, boolean isCertain, boolean isRead) {

  /** Of a statement that changes it, or asks about it. */
  static TableUse target(@Nullable String schema, String name) {
    return new TableUse(schema, name, "", true, false);
  }

  /** Whether columns and targets may mean this table by that name. */
  boolean isMeantBy(String qualifier) {
    return !isCertain || alias.equalsIgnoreCase(qualifier) || name.equalsIgnoreCase(qualifier);
  }
}
