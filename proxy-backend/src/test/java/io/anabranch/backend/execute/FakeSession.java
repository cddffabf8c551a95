package io.anabranch.backend.execute;

import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.fakes.FakeDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.stage.StagedBytes;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.LocalCoordinator;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.DefaultEventLoop;
import java.util.Map;

/** A session over two fake data sources, and the walker of its plans. */
public final class FakeSession {

  public final FakeDatabase a = new FakeDatabase("a");
  public final FakeDatabase b = new FakeDatabase("b");
  public final Cancellation cancellation = new Cancellation();
  public final PlanWalker walker =
      new PlanWalker(100, new StageLimits(1000, 1 << 20), new StagedBytes(), true, rows -> {});
  public final SessionTransaction transaction;

  public FakeSession() {
    var desk = new FakeDesk(a, b);
    transaction =
        new SessionTransaction(
            () -> desk,
            false,
            new DefaultEventLoop(),
            new LocalCoordinator(new CommitBarrier()),
            Runnable::run);
  }

  public MergeRequest request(PlanNode root, Access access) {
    return new MergeRequest(
        root,
        ExecuteParameters.NONE,
        false,
        new NameMapping("shop", Map.of("t_order_0", "t_order")),
        transaction.connections().leases(name -> name, access, SessionSettings.INITIAL),
        cancellation);
  }
}
