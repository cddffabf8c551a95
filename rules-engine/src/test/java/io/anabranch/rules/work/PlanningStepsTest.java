package io.anabranch.rules.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.anabranch.rules.planner.CatalogueWork;
import io.anabranch.rules.planner.EncryptedWork;
import io.anabranch.rules.planner.PassThroughWork;
import io.anabranch.rules.planner.PlanningWork;
import io.anabranch.rules.work.StatementGrowths.Growth;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Planning, binding and rendering a statement of twice the size takes about twice the steps, for
 * every way in which statements grow. Steps are counted, not timed: see {@link CountingLoader}.
 */
@Tag("long")
class PlanningStepsTest {

  private static final long MOST_STEPS = 400_000_000;

  private static final double MOST_BYTES = 2.7;

  @TestFactory
  Stream<DynamicTest> twiceTheSizeIsTwiceTheWork() throws ReflectiveOperationException {
    return checks(StatementGrowths.all(), counted(PlanningWork.class));
  }

  /** Of texts that need not be statements, too: what reads their tokens must come to an end. */
  @TestFactory
  Stream<DynamicTest> twiceTheTextIsTwiceTheWork() throws ReflectiveOperationException {
    return checks(StatementGrowths.texts(), counted(PlanningWork.class));
  }

  @TestFactory
  Stream<DynamicTest> wherePassedThrough() throws ReflectiveOperationException {
    UnaryOperator<String> work = counted(PassThroughWork.class);
    return Stream.concat(
        checks(StatementGrowths.all(), work), checks(StatementGrowths.texts(), work));
  }

  @TestFactory
  Stream<DynamicTest> whereColumnsAreEncrypted() throws ReflectiveOperationException {
    return checks(StatementGrowths.encrypted(), counted(EncryptedWork.class));
  }

  @TestFactory
  Stream<DynamicTest> whereTheCatalogueIsRead() throws ReflectiveOperationException {
    return checks(StatementGrowths.catalogue(), counted(CatalogueWork.class));
  }

  private static Stream<DynamicTest> checks(
      Map<String, Growth> growths, UnaryOperator<String> work) {
    return growths.entrySet().stream()
        .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> check(each, work)));
  }

  /** What planning a statement took. */
  private record Cost(long[] steps, long bytes, String outcome) {

    long allSteps() {
      return Arrays.stream(steps).sum();
    }

    long of(int method) {
      return method < steps.length ? steps[method] : 0;
    }
  }

  /** What is not planned in linear steps has an end before it costs much. */
  @TestFactory
  Stream<DynamicTest> whatGrowsFasterIsBounded() throws ReflectiveOperationException {
    UnaryOperator<String> work = counted(PlanningWork.class);
    return StatementGrowths.bounded().entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(),
                    () -> {
                      Growth growth = each.getValue();
                      Cost largest = cost(growth.statement().apply(growth.size()), work);
                      assertThat(largest.allSteps()).as(largest.outcome()).isLessThan(MOST_STEPS);
                      Cost more = cost(growth.statement().apply(20 * growth.size()), work);
                      assertThat(more.allSteps()).as(more.outcome()).isLessThan(MOST_STEPS);
                    }));
  }

  private static UnaryOperator<String> counted(Class<?> type) throws ReflectiveOperationException {
    var loader = new CountingLoader(PlanningStepsTest.class.getClassLoader());
    @SuppressWarnings("unchecked")
    UnaryOperator<String> work =
        (UnaryOperator<String>) loader.loadClass(type.getName()).getConstructor().newInstance();
    return work;
  }

  private static void check(Map.Entry<String, Growth> each, UnaryOperator<String> work) {
    Growth growth = each.getValue();
    int size = growth.size();
    // what is made once must not count
    assertThat(work.apply(growth.statement().apply(2))).isNotNull();
    Cost one = cost(growth.statement().apply(size), work);
    Cost two = cost(growth.statement().apply(2 * size), work);
    Cost four = cost(growth.statement().apply(4 * size), work);
    double steps = (double) (four.allSteps() - two.allSteps()) / (two.allSteps() - one.allSteps());
    assertThat(steps).as(() -> worst(one, two, four)).isLessThan(2.2);
    double bytes = growthOfBytes(one, two, four);
    // what the virtual machine allocates for itself in a thread comes once, and so does the step to
    // arrays too large to be kept for the next statement: what grows too fast does so at each size
    for (int again = 1; again <= 3 && bytes >= MOST_BYTES; again++) {
      bytes =
          growthOfBytes(
              cost(growth.statement().apply(size << again), work),
              cost(growth.statement().apply(size << (again + 1)), work),
              cost(growth.statement().apply(size << (again + 2)), work));
    }
    assertThat(bytes).as(four.outcome()).isLessThan(MOST_BYTES);
  }

  private static double growthOfBytes(Cost one, Cost two, Cost four) {
    return (double) (four.bytes() - two.bytes()) / (two.bytes() - one.bytes());
  }

  /** The methods that grow fastest, with their steps. */
  private static String worst(Cost one, Cost two, Cost four) {
    return IntStream.range(0, four.steps().length)
        .filter(m -> four.of(m) - two.of(m) > 2.3 * (two.of(m) - one.of(m)))
        .boxed()
        .sorted(Comparator.comparingLong(m -> -four.of(m)))
        .limit(8)
        .map(m -> CountedSteps.name(m) + " " + one.of(m) + ">" + two.of(m) + ">" + four.of(m))
        .collect(Collectors.joining(", "));
  }

  private static Cost cost(String statement, UnaryOperator<String> work) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] before = CountedSteps.soFar();
    long bytes = threads.getTotalThreadAllocatedBytes();
    String outcome = work.apply(statement);
    long taken = threads.getTotalThreadAllocatedBytes() - bytes;
    long[] steps = CountedSteps.soFar();
    for (int method = 0; method < before.length; method++) {
      steps[method] -= before[method];
    }
    return new Cost(steps, taken, outcome);
  }
}
