package io.anabranch.frontend.administration;

import io.anabranch.rules.right.Grants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists of tables, kept to those that the user may see. */
final class GrantedRows {

  private GrantedRows() {}

  /**
   * The rows that tell of nothing else.
   *
   * @param column that names a table, or several between commas
   */
  static Form.Rows of(Form.Rows all, int column) {
    return request -> {
      List<? extends List<@Nullable String>> rows = all.of(request);
      Grants grants = request.session().user().grants();
      if (grants.isUnlimited()) {
        return rows;
      }
      String database = request.database().name();
      return rows.stream()
          .filter(row -> isSeen(String.valueOf(row.get(column)), database, grants))
          .toList();
    };
  }

  private static boolean isSeen(String tables, String database, Grants grants) {
    return List.of(tables.split(",", -1)).stream()
        .allMatch(table -> grants.reach(database, table.strip()));
  }
}
