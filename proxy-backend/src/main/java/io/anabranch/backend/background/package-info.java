/**
 * Queries that no client waits for, on connections of their own: what a mirror gets of a statement,
 * the plan of one that was slow.
 *
 * <p>Start at {@link io.anabranch.backend.background.BackgroundQuery}. Imports {@code
 * backend.lease}, {@code backend.shard} and {@code backend.stage}.
 *
 * <p>Threads: on virtual threads of their own; they block.
 */
@NullMarked
package io.anabranch.backend.background;

import org.jspecify.annotations.NullMarked;
