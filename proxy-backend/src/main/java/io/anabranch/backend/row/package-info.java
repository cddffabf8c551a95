/**
 * Rows as they came from a database: cells compared, counted and written without decoding more of a
 * row than is asked for.
 *
 * <p>Start at {@link io.anabranch.backend.row.RowStream} and {@link
 * io.anabranch.backend.row.RowFormat}; {@link io.anabranch.backend.row.RowOrder} compares rows,
 * {@link io.anabranch.backend.row.RowLiterals} writes them as SQL. Imports the plan language and
 * the protocol's row codecs. Rows are used by one thread at a time.
 */
@NullMarked
package io.anabranch.backend.row;

import org.jspecify.annotations.NullMarked;
