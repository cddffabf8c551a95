/**
 * Rows on their way into tables: read from a client's file, kept until a batch is full, split by
 * where they belong.
 *
 * <p>Start at {@link io.anabranch.backend.execute.rows.RowBatches}. Used by the thread that runs
 * the statement.
 */
@NullMarked
package io.anabranch.backend.execute.rows;

import org.jspecify.annotations.NullMarked;
