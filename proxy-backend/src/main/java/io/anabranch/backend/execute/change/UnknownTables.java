package io.anabranch.backend.execute.change;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.plan.NameMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of a DROP of several tables that lacks some of them: it drops the others, and
 * names those that are unknown.
 */
final class UnknownTables {

  /** ER_BAD_TABLE_ERROR. */
  private static final int UNKNOWN_TABLE = 1051;

  private UnknownTables() {}

  /**
   * @param tables how the statement went for each of them
   * @return null unless all that failed is that tables are unknown wherever they were looked for
   */
  static ShardException.@Nullable Database in(List<PartialFailure> tables, NameMapping names) {
    var unknown = new StringJoiner(",", "Unknown table '", "'");
    ShardException.Database first = null;
    for (PartialFailure table : tables) {
      if (table.first() == null) {
        continue;
      }
      ShardException.Database missing = table.everywhere();
      if (missing == null || missing.errno() != UNKNOWN_TABLE) {
        return null;
      }
      unknown.add(quoted(String.valueOf(missing.withTablesOf(names).getMessage())));
      first = first == null ? missing : first;
    }
    return first == null
        ? null
        : new ShardException.Database(UNKNOWN_TABLE, first.sqlState(), unknown.toString());
  }

  /** Notes of unknown tables as one, in the place of the first. */
  static List<List<String>> together(List<List<String>> warnings) {
    var unknown = new StringJoiner(",", "Unknown table '", "'");
    var rows = new ArrayList<List<String>>();
    int place = -1;
    for (List<String> row : warnings) {
      if (!row.get(1).equals(Integer.toString(UNKNOWN_TABLE))) {
        rows.add(row);
        continue;
      }
      unknown.add(quoted(row.get(2)));
      if (place < 0) {
        place = rows.size();
        rows.add(row);
      }
    }
    if (place >= 0) {
      rows.set(place, List.of(rows.get(place).get(0), rows.get(place).get(1), unknown.toString()));
    }
    return rows;
  }

  private static String quoted(String message) {
    int open = message.indexOf('\'');
    int close = message.lastIndexOf('\'');
    return open < close ? message.substring(open + 1, close) : message;
  }
}
