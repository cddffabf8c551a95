/**
 * Finds transactions that wait for each other over several data sources, which no database sees,
 * and has one of them give way.
 *
 * <p>Start at {@link io.anabranch.backend.deadlock.DeadlockWatch}; who can still go on is told by
 * {@link io.anabranch.backend.deadlock.WaitGraph}. Why so: docs/adr/0034.
 *
 * <p>Imports {@code backend.pool}, which knows who has and wants connections, and {@code
 * backend.health}'s questions. One virtual thread per watch, and one per database while it is
 * asked.
 */
@NullMarked
package io.anabranch.backend.deadlock;

import org.jspecify.annotations.NullMarked;
