package io.anabranch.frontend.administration;

import io.anabranch.frontend.session.Backend;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.List;

/**
 * Forgets what is known of tables, for those who have changed them past the proxy: the next
 * statement on them looks at them anew.
 */
final class MetadataRefresh {

  private MetadataRefresh() {}

  /** One table, or all of the database. */
  static List<List<String>> refresh(Request request) {
    Backend served = request.served();
    String unit = request.match().get("unit");
    if (unit != null && !served.database().dataSources().containsKey(unit)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the storage unit '" + unit + "'", "see SHOW STORAGE UNITS");
    }
    request.session().deployment().forgetTables(List.of(served), request.match().get("table"));
    return List.of();
  }
}
