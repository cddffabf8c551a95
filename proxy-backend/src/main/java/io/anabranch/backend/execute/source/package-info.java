/**
 * One statement's work on one data source: its connection, its queries one after the other, their
 * warnings, and what they gave back.
 *
 * <p>Start at {@link io.anabranch.backend.execute.source.SourceRuns}, which has a {@link
 * io.anabranch.backend.execute.source.SourceRun} for each data source of a {@link
 * io.anabranch.backend.execute.source.MergeRequest}. Imports {@code backend.transaction}, {@code
 * backend.lease}, {@code backend.shard} and {@code backend.row}. Runs on the virtual thread of its
 * statement, and on a child of it for each further data source.
 */
@NullMarked
package io.anabranch.backend.execute.source;

import org.jspecify.annotations.NullMarked;
