package io.anabranch.rules.planner.change;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.ChangeSyntax.Assignment;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells which of its tables an UPDATE or DELETE changes. */
final class ChangedTables {

  private final Analysis analysis;
  private final ChangeSyntax syntax;
  private final List<PlacedTable> read;

  ChangedTables(Analysis analysis, ChangeSyntax syntax) {
    this.analysis = analysis;
    this.syntax = syntax;
    this.read = analysis.tablesOf(0);
  }

  List<ChangedTable> list() {
    return tables().stream()
        .map(table -> ChangedTable.of(analysis, table, assignments(table)))
        .toList();
  }

  /** In the order of the text, each once. */
  List<PlacedTable> tables() {
    var changed = new ArrayList<PlacedTable>();
    if (syntax.assignments().isEmpty() && syntax.deleted().isEmpty()) {
      return read.size() == 1 ? read : List.of();
    }
    for (TableMention mention : syntax.deleted()) {
      add(changed, named(mention.name()));
    }
    for (Assignment assignment : syntax.assignments()) {
      add(changed, owner(assignment));
    }
    return changed;
  }

  private static void add(List<PlacedTable> tables, PlacedTable table) {
    if (!tables.contains(table)) {
      tables.add(table);
    }
  }

  private List<Assignment> assignments(PlacedTable table) {
    return syntax.assignments().stream()
        .filter(assignment -> owner(assignment).equals(table))
        .toList();
  }

  private PlacedTable named(String name) {
    PlacedTable found = find(name);
    if (found == null) {
      throw ErrorCatalogue.UNKNOWN_TABLE_IN.refuse(name, "MULTI DELETE");
    }
    return found;
  }

  private @Nullable PlacedTable find(String name) {
    for (PlacedTable table : read) {
      if (table.ref().alias().equalsIgnoreCase(name)) {
        return table;
      }
    }
    return null;
  }

  private PlacedTable owner(Assignment assignment) {
    String qualifier = assignment.qualifier();
    PlacedTable found = qualifier == null ? null : find(qualifier);
    if (qualifier == null) {
      String column = assignment.column().toLowerCase(Locale.ROOT);
      for (PlacedTable table : read) {
        if (table.columns().containsKey(column)) {
          found = table;
          break;
        }
      }
    }
    if (found == null) {
      throw ErrorCatalogue.UNKNOWN_COLUMN.refuse(assignment.column(), "field list");
    }
    return found;
  }
}
