/**
 * UPDATE and DELETE: on one node or on all of them as they are, by keys that are read first, or by
 * moving rows whose sharding columns change.
 *
 * <p>Start with {@link io.anabranch.rules.planner.change.WritePlanner}; {@link
 * io.anabranch.rules.planner.change.KeyedWrite} and {@link
 * io.anabranch.rules.planner.change.RowMove} are the other ways. May import {@code
 * rules.planner.query}, {@code rules.planner.view}, {@code rules.placement} and what is below them.
 * Plans on virtual threads; plans are immutable and bound on event loops.
 */
@NullMarked
package io.anabranch.rules.planner.change;

import org.jspecify.annotations.NullMarked;
