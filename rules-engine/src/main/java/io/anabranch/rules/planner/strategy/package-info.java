/**
 * What the ways to answer a query over several nodes have in common.
 *
 * <p>Start with {@link io.anabranch.rules.planner.strategy.Strategy}: its {@link
 * io.anabranch.rules.planner.strategy.Attempt} is a {@link
 * io.anabranch.rules.planner.strategy.Scatter}, or a refusal with its reason. Which ways there are,
 * and in which order, {@code planner.query} says.
 *
 * <p>May import {@code rules.resolve} and what is below it. Strategies are used once, on virtual
 * threads; what they give is immutable and bound on event loops.
 */
@NullMarked
package io.anabranch.rules.planner.strategy;

import org.jspecify.annotations.NullMarked;
