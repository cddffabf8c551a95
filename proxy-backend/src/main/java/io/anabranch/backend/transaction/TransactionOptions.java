package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.transaction.commit.Xid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What START TRANSACTION and SET TRANSACTION say of one transaction.
 *
 * @param isolation as in {@code SET TRANSACTION ISOLATION LEVEL}; null: the session's
 * @param access null: the session's
 * @param consistentSnapshot WITH CONSISTENT SNAPSHOT
 */
public record TransactionOptions(
    @Nullable Isolation isolation, @Nullable Access access, boolean consistentSnapshot) {

  private static final List<String> ISOLATION = SessionSettings.synonyms("transaction_isolation");

  private static final List<String> READ_ONLY = SessionSettings.synonyms("transaction_read_only");

  /**
   * What begins a transaction under each {@code sql_mode}: BEGIN begins a block where that is
   * ORACLE, and what follows would be a part of it.
   */
  public static final String START = "START TRANSACTION";

  /** Nothing said. */
  public static final TransactionOptions DEFAULT = new TransactionOptions(null, null, false);

  static final TransactionOptions SNAPSHOT = new TransactionOptions(null, null, true);

  public boolean isReadOnly() {
    return access == Access.READ_ONLY;
  }

  /** These options where they say something, those of {@code other} elsewhere. */
  public TransactionOptions over(TransactionOptions other) {
    return new TransactionOptions(
        isolation == null ? other.isolation : isolation,
        access == null ? other.access : access,
        consistentSnapshot || other.consistentSnapshot);
  }

  /** What is left where SET SESSION has set one of these variables since. */
  TransactionOptions withoutThose(Collection<String> variables) {
    boolean setsIsolation = variables.stream().anyMatch(ISOLATION::contains);
    boolean setsAccess = variables.stream().anyMatch(READ_ONLY::contains);
    return new TransactionOptions(
        setsIsolation ? null : isolation, setsAccess ? null : access, consistentSnapshot);
  }

  /** The same for the transaction that AND CHAIN begins. */
  TransactionOptions withoutSnapshot() {
    return consistentSnapshot ? new TransactionOptions(isolation, access, false) : this;
  }

  /** SET TRANSACTION and START TRANSACTION, as far as they are needed. */
  List<String> opening() {
    var commands = new ArrayList<String>(2);
    if (isolation != null) {
      commands.add("SET TRANSACTION ISOLATION LEVEL " + isolation.sql());
    }
    if (access == null && !consistentSnapshot) {
      commands.add(START);
      return commands;
    }
    var start = new StringBuilder(START);
    if (consistentSnapshot) {
      start.append(" WITH CONSISTENT SNAPSHOT");
    }
    if (access != null) {
      start.append(consistentSnapshot ? ", " : " ").append(access.sql());
    }
    commands.add(start.toString());
    return commands;
  }

  /** The same for a branch of a distributed transaction, which has no snapshot of its own. */
  List<String> opening(Xid branch) {
    List<String> commands = forOneStatement();
    commands.add("XA START " + branch.sql());
    return commands;
  }

  /** SET TRANSACTION in front of a statement that is a transaction of its own. */
  List<String> forOneStatement() {
    var commands = new ArrayList<String>(2);
    if (isolation != null) {
      commands.add("SET TRANSACTION ISOLATION LEVEL " + isolation.sql());
    }
    if (access != null) {
      commands.add("SET TRANSACTION " + access.sql());
    }
    return commands;
  }

  /** Isolation levels. */
  public enum Isolation {
    READ_UNCOMMITTED,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    String sql() {
      return name().replace('_', ' ');
    }
  }

  /** Access modes. */
  public enum Access {
    READ_WRITE,
    READ_ONLY;

    String sql() {
      return name().replace('_', ' ');
    }
  }
}
