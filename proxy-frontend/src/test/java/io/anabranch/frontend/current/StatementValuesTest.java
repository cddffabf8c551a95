package io.anabranch.frontend.current;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.type.Capability;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class StatementValuesTest {

  private final Deployment deployment = TestDeployment.create();
  private final Session session =
      new Session(
          7,
          new EmbeddedChannel(),
          new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", Capability.PROTOCOL_41, 45),
          () -> deployment,
          Runnable::run,
          MemoryBudget.unconfigured().session("test"),
          SessionLimits.none());

  /** A short statement may name a long value any number of times. */
  @Test
  void boundVariablesAreOnTheSessionsAccountUntilTheStatementEnds() {
    var statement = new CurrentStatement(session);
    var longOne = new StatementParameter(253, new byte[1 << 20]);
    statement.bindsVariables(ExecuteParameters.of(longOne, longOne, longOne));

    assertThat(session.memory().used(MemoryKind.HEAP)).isGreaterThanOrEqualTo(3 << 20);

    statement.ended();
    assertThat(session.memory().used(MemoryKind.HEAP)).isZero();
  }
}
