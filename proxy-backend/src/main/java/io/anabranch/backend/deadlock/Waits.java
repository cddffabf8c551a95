package io.anabranch.backend.deadlock;

import io.anabranch.backend.lease.Lessee;
import java.util.Set;
import java.util.StringJoiner;

/** Tells people who waits for whom. */
final class Waits {

  private static final int MOST = 4;

  private Waits() {}

  static String told(Set<Lessee> members, Look look) {
    var told = new StringJoiner("; ");
    int left = MOST;
    for (Lessee member : members) {
      if (left-- == 0) {
        told.add("and " + (members.size() - MOST) + " more");
        break;
      }
      told.add(told(member, members, look));
    }
    return told.toString();
  }

  private static String told(Lessee member, Set<Lessee> members, Look look) {
    Look.Line line = look.line(member);
    if (line != null) {
      return "%s waits for one of the %d connections of '%s'"
          .formatted(member, line.pool().permits(), line.pool().dataSource());
    }
    Look.RowWait rows = look.rowWait(member, members);
    return rows == null
        ? member + " waits"
        : "%s waits in '%s' for a row lock of %s"
            .formatted(member, rows.pool().dataSource(), rows.holder().lessee());
  }
}
