/**
 * Two-phase commit over the databases' XA statements, with a log that lets any node of a cluster
 * finish what another one has begun.
 *
 * <p>Start at {@link io.anabranch.backend.xa.XaService}, which builds and runs the rest. {@link
 * io.anabranch.backend.xa.XaCoordinator} ends transactions, those over several data sources by
 * {@link io.anabranch.backend.xa.TwoPhases}; {@link io.anabranch.backend.xa.DecisionLog} makes
 * decisions durable, many with one commit; {@link io.anabranch.backend.xa.Membership} tells the log
 * that this process lives, and {@link io.anabranch.backend.xa.DeadNodes} finds those that do not;
 * {@link io.anabranch.backend.xa.Recovery} resolves branches that nobody ends. {@link
 * io.anabranch.backend.xa.LogStore} has all of the log's SQL.
 *
 * <p>The rule that all rests on: a branch is committed if its transaction is in the log, and rolled
 * back if it is not and nobody can put it there any more. Decisions are written by a statement that
 * finds nothing to insert once its process has been declared dead.
 *
 * <p>Imports {@code transaction}, {@code pool}, {@code shard}. A COMMIT is on the event loop of its
 * session, where nothing waits. Owns virtual threads: one tells that the process lives, one
 * recovers, and one for each writer of the log that has no connection; all end with the service.
 */
@NullMarked
package io.anabranch.backend.xa;

import org.jspecify.annotations.NullMarked;
