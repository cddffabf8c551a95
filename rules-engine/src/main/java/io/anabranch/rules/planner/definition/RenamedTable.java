package io.anabranch.rules.planner.definition;

import io.anabranch.rules.syntax.TableMention;
import java.util.List;

/**
 * A table and its new name.
 *
 * @param from as the statement names it
 * @param to as the statement names it
 * @param parts what is to be renamed, in the order of the table's nodes; never empty
 */
record RenamedTable(TableMention from, TableMention to, List<Part> parts) {

  RenamedTable {
    parts = List.copyOf(parts);
  }

  /**
   * @param from actual name
   * @param to actual name
   */
  record Part(String dataSource, String from, String to) {}
}
