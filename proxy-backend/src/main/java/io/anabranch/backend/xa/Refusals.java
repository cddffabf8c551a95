package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.rules.error.RefusedException;
import java.util.ArrayList;
import java.util.List;

/** How the reason for a rollback reaches the client: as if a database had told it. */
final class Refusals {

  private Refusals() {}

  static ShardException asDatabase(RefusedException refusal) {
    return new ShardException.Database(
        refusal.errno(), refusal.sqlState(), String.valueOf(refusal.getMessage()));
  }

  /** Told with the first ending that has no cause of its own; what a connection's loss tells is. */
  static List<Ending> because(List<Ending> endings, ShardException reason) {
    var told = new ArrayList<Ending>(endings.size());
    boolean isTold = !(reason instanceof ShardException.Database);
    for (Ending ending : endings) {
      if (!isTold && ending.cause() == null) {
        told.add(new Ending(ending.lease(), ending.state(), reason));
        isTold = true;
      } else {
        told.add(ending);
      }
    }
    return told;
  }
}
