/**
 * What was run, how often and how fast: {@link io.anabranch.frontend.statistics.Digests} has it by
 * normalised text. Start with {@link io.anabranch.frontend.statistics.StatisticsListener}, who is
 * told of each statement once, at its end.
 *
 * <p>May import {@code frontend.session}, {@code frontend.statement}, the rules and the backend.
 * Event loops count, each in places of its own and without locks; whoever reads adds them up, from
 * any thread.
 */
@NullMarked
package io.anabranch.frontend.statistics;

import org.jspecify.annotations.NullMarked;
