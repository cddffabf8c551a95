/**
 * JMH benchmarks of the hot path. Start with {@link io.anabranch.benchmarks.PlanningBenchmark}. May
 * import anything; nothing imports it and it is not shipped.
 */
@NullMarked
package io.anabranch.benchmarks;

import org.jspecify.annotations.NullMarked;
