package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.transaction.ConnectionPins;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * GET_LOCK and RELEASE_LOCK: the connection stays with the session while it has such a lock. The
 * server counts them and cannot list them, so it is asked for each name that was taken.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/8.4/en/locking-functions.html">Functions</a>
 */
public final class UserLocks {

  private static final byte YES = '1';

  /** Servers take no longer names than of some such length, in characters. */
  private static final int LONGEST = 192;

  private UserLocks() {}

  /** Whether locks may have come or gone with the statement. */
  public static boolean change(Session session, CurrentStatement statement) {
    return takes(statement)
        || (session.connections().pins().any(Pin.USER_LOCK)
            && Pins.contains(statement.scan(), "release_lock"));
  }

  private static boolean takes(CurrentStatement statement) {
    return statement.scan().mentionsGetLock() && runs(statement.scan());
  }

  /** Whether the functions that a statement names are called when it runs. */
  static boolean runs(Scan scan) {
    return switch (scan.kind()) {
      case ALTER, DROP, PREPARE -> false;
      case CREATE -> Pins.contains(scan, "table");
      case SHOW -> !Pins.contains(scan, "create");
      default -> true;
    };
  }

  /** Notes which ones the statement may have taken. */
  public static void taken(ConnectionPins pins, Lease lease, CurrentStatement statement) {
    if (takes(statement)) {
      pins.locked(lease, names(statement.source().tokens(), statement.values().slots()));
    }
  }

  /**
   * Names of the locks that a statement takes, as they can be written in a question.
   *
   * @return null if they are not all known
   */
  static @Nullable Set<String> names(SqlTokens tokens, SlotValues slots) {
    var names = new HashSet<String>();
    for (int call : tokens.all().calls()) {
      if (tokens.name(call).equalsIgnoreCase("GET_LOCK")) {
        String name = tokens.isPunctuation(call + 3, ',') ? name(tokens, call + 2, slots) : null;
        if (name == null || name.length() > LONGEST) {
          return null;
        }
        names.add(name);
      }
    }
    return names.isEmpty() ? null : names;
  }

  private static @Nullable String name(SqlTokens tokens, int token, SlotValues slots) {
    int slot = tokens.slot(token);
    boolean isText = slot >= 0 && slots.value(slot) instanceof SqlValue.Text;
    if (isText && slots.value(slot) instanceof SqlValue.Text(String text)) {
      boolean isPlain = text.chars().allMatch(c -> c >= ' ' && c < 127 && c != '\'' && c != '\\');
      return isPlain ? text : null;
    }
    return null;
  }

  /** Whether the connection has one of all that it may have. Blocks. */
  static boolean areHeld(Lease lease, ConnectionPins pins) {
    Set<String> names = pins.locks(lease);
    if (names == null) {
      return true;
    }
    var sql = new StringBuilder("SELECT 0");
    for (String name : names) {
      sql.append(" OR IS_USED_LOCK(")
          .append(TableNames.literal(name))
          .append(") <=> CONNECTION_ID()");
    }
    sql.append(" LIMIT 1");
    byte[] question = sql.toString().getBytes(StandardCharsets.US_ASCII);
    var reader = new TextRowReader(1);
    boolean held = false;
    ShardQuery query = ShardQuery.text(lease.dataSource(), question);
    try (ShardCursor cursor = lease.shard().query(query)) {
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        held |= row[reader.offset(0)] == YES;
      }
    }
    return held;
  }
}
