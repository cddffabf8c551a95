package io.anabranch.backend.transaction.commit;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;

/** What the endings of a transaction mean for the client and for its connections. */
public final class Endings {

  private Endings() {}

  /**
   * The error of a COMMIT that did not commit everywhere: the database's own if nothing was
   * committed for certain, else a list of what was and what was not.
   */
  public static RuntimeException failure(List<Ending> endings) {
    boolean undone = true;
    ShardException first = null;
    String lost = null;
    for (Ending ending : endings) {
      undone &= ending.state() == State.ROLLED_BACK;
      first = first == null || first instanceof ShardException.Lost ? ending.cause() : first;
      lost = ending.cause() instanceof ShardException.Lost ? ending.lease().dataSource() : lost;
    }
    if (undone && first instanceof ShardException.Database refused) {
      return refused;
    }
    if (undone && lost != null) {
      return ErrorCatalogue.TRANSACTION_LOST.refuse(lost);
    }
    return ErrorCatalogue.COMMIT_INCOMPLETE.refuse(described(endings));
  }

  /** What has become of each part. */
  static String described(List<Ending> endings) {
    var where = new StringJoiner("; ");
    for (Ending ending : endings) {
      where.add(ending.lease().dataSource() + ": " + told(ending));
    }
    return where.toString();
  }

  /** What databases warned of, once each: what they all say one server says of all. */
  public static List<List<String>> warnings(List<Ending> endings) {
    return endings.stream()
        .flatMap(ending -> ending.warnings().stream())
        .distinct()
        .sorted(Comparator.comparing(warning -> warning.get(1)))
        .toList();
  }

  /** Releases connections that rolled back and closes those that did not answer. */
  public static void letGo(List<Ending> endings) {
    for (Ending ending : endings) {
      Lease lease = ending.lease();
      if (ending.cause() == null) {
        lease.release();
      } else {
        lease.discard("transaction could not be rolled back: " + ending.cause().getMessage());
      }
    }
  }

  private static String told(Ending ending) {
    String state =
        switch (ending.state()) {
          case COMMITTED -> "committed";
          case ROLLED_BACK -> "rolled back";
          case UNKNOWN -> "unknown";
        };
    return ending.cause() == null ? state : state + " (" + ending.cause().getMessage() + ")";
  }
}
