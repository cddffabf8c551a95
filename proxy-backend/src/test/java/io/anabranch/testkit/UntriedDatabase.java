package io.anabranch.testkit;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Says at the end of a run, where nobody overlooks it, that no test was tried on MySQL. */
public final class UntriedDatabase implements TestExecutionListener {

  private final AtomicInteger untried = new AtomicInteger();

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    if (reason.contains(MySqlServer.NONE)) {
      untried.incrementAndGet();
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    boolean isNone =
        result.getStatus() == Status.ABORTED
            && result
                .getThrowable()
                .filter(cause -> String.valueOf(cause.getMessage()).contains(MySqlServer.NONE))
                .isPresent();
    if (isNone) {
      untried.incrementAndGet();
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (untried.get() > 0) {
      System.out.printf(
          """

          ************************************************************************
          MySQL WAS NOT TRIED: %d test classes or tests were skipped.
          %s
          ************************************************************************
          %n""",
          untried.get(), MySqlServer.NONE);
    }
  }
}
