/**
 * Statements that no merge answers are finished by a real database: their rows are copied into its
 * temporary tables, and the statement runs there.
 *
 * <p>Start at {@link io.anabranch.backend.stage.StagingConnection}, which makes, fills and drops
 * the copies on one leased connection; {@code backend.execute.StageRun} decides when. {@link
 * io.anabranch.backend.stage.InsertBatch} is where exactness lives: how each cell is written.
 *
 * <p>Imports {@code merge} for row streams, {@code pool}, {@code shard} and the plan language. Owns
 * no threads: all of it is used by the virtual thread that runs the statement, {@link
 * io.anabranch.backend.stage.StageRooms} by all of them.
 */
@NullMarked
package io.anabranch.backend.stage;

import org.jspecify.annotations.NullMarked;
