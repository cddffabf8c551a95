/**
 * Merging the rows of several databases into one result: a stream class per node of the plan.
 *
 * <p>Start at {@link io.anabranch.backend.row.RowStream} and {@link
 * io.anabranch.backend.merge.StreamTree}, which builds streams from a plan. Rows stay the payloads
 * they came as; {@link io.anabranch.backend.row.CellOrder} compares cells in place.
 *
 * <p>Imports the plan language, the protocol's row codecs and the error catalogue, nothing of the
 * backend. A stream is used by one thread, the one that runs the statement; it owns no threads.
 */
@NullMarked
package io.anabranch.backend.merge;

import org.jspecify.annotations.NullMarked;
