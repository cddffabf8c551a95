/**
 * A session's transaction over the databases it touches: which leases it holds, what has to be sent
 * in front of the next statement, and how the transaction ends.
 *
 * <p>Start at {@link io.anabranch.backend.transaction.SessionTransaction}, which takes what the
 * client says, and {@link io.anabranch.backend.transaction.SessionConnections}, which gives
 * statements the connections they run on; both work on one {@link
 * io.anabranch.backend.transaction.OpenTransaction}. {@link
 * io.anabranch.backend.transaction.commit.Coordinator} is the seam between a session's state and
 * the way several databases are made to commit: {@link
 * io.anabranch.backend.transaction.commit.LocalCoordinator} commits one after the other, two-phase
 * commit goes beside it. The merge lane sees a transaction only as {@link
 * io.anabranch.backend.transaction.StatementLeases}.
 *
 * <p>Imports {@code pool}, {@code shard} and the error catalogue. Owns no threads: a session runs
 * one command at a time, and its transaction is used by the event loop or by the virtual thread
 * that runs that command, never by both. Leases of a transaction that is given up are rolled back
 * on an executor that is handed in.
 */
@NullMarked
package io.anabranch.backend.transaction;

import org.jspecify.annotations.NullMarked;
