package io.anabranch.backend.transaction.commit;

import io.anabranch.backend.lease.Lease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One data source's part of a transaction.
 *
 * @param xid null for a plain transaction
 * @param changes whether anything else than reads was sent to it
 */
public record Branch(Lease lease, @Nullable Xid xid, boolean changes) {

  public String dataSource() {
    return lease.dataSource();
  }

  /** The statements that commit it without a second phase, for one packet train. */
  public List<String> commit() {
    return xid == null
        ? List.of(plain("COMMIT"))
        : List.of("XA END " + xid.sql(), "XA COMMIT " + xid.sql() + " ONE PHASE");
  }

  /** The statements that roll it back; of a branch the first may fail where the second does not. */
  public List<String> rollback() {
    return xid == null
        ? List.of(plain("ROLLBACK"))
        : List.of("XA END " + xid.sql(), "XA ROLLBACK " + xid.sql());
  }

  /** A session's {@code completion_type} is the proxy's to obey, not the database's. */
  private String plain(String statement) {
    String start = lease.wantedStart().literal("completion_type");
    boolean obeys =
        lease.applied().variables().containsKey("completion_type")
            || (start != null && !start.equals("'NO_CHAIN'"));
    return obeys ? statement + " AND NO CHAIN NO RELEASE" : statement;
  }
}
