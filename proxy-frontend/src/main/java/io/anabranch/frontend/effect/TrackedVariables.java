package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the values of variables that were set as clients that track them are told. */
final class TrackedVariables {

  private TrackedVariables() {}

  /**
   * By name, for those variables alone that the client tracks. Blocks where the values of settings
   * do not tell how a server shows them: numbers may be ON and OFF, defaults are not kept.
   *
   * @param lease of the connection that the variables are set on
   * @param changed the settings after the assignments
   */
  static Map<String, String> values(
      Session session, Lease lease, List<Assignment> assignments, SessionSettings changed) {
    var values = new TreeMap<String, String>();
    var asked = new ArrayList<String>();
    for (Assignment assignment : assignments) {
      if (assignment instanceof Assignment.Variable variable
          && session.changes().tracks(variable.name(), changed)) {
        String literal = changed.variables().get(variable.name());
        if (literal != null && literal.startsWith("'")) {
          String text = literal.substring(1, literal.length() - 1);
          values.put(variable.name(), text.replace("''", "'"));
        } else {
          asked.add(variable.name());
        }
      }
    }
    if (!asked.isEmpty()) {
      show(lease, asked, values);
    }
    return values;
  }

  private static void show(Lease lease, List<String> names, Map<String, String> into) {
    String sql =
        "SHOW SESSION VARIABLES WHERE Variable_name IN (" + TableNames.literals(names) + ")";
    Charset charset = lease.applied().resultCharset();
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql.getBytes(StandardCharsets.US_ASCII));
    try (ShardCursor cursor = lease.shard().query(query)) {
      var reader = new TextRowReader(2);
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        into.put(
            new String(row, reader.offset(0), reader.length(0), charset),
            new String(row, reader.offset(1), reader.length(1), charset));
      }
    }
  }
}
