/**
 * Which query rules a statement may meet, by its text alone: decided once, and kept with its plan.
 *
 * <p>Start with {@link io.anabranch.rules.guard.RuleMatching}; {@link
 * io.anabranch.rules.guard.FormReader} reads what rules ask of a statement's form. May import
 * {@code rules.task}, {@code rules.need} and what is below them. Made for one statement, on any
 * thread.
 */
@NullMarked
package io.anabranch.rules.guard;

import org.jspecify.annotations.NullMarked;
