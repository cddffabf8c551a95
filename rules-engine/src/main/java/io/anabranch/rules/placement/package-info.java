/**
 * Where rows that come belong: their nodes, the keys that they are given, and whether what copies
 * compute for themselves is the same.
 *
 * <p>Start with {@link io.anabranch.rules.placement.RowPlacement}. The law: a row is placed by what
 * the column <em>will hold</em> ({@link io.anabranch.rules.placement.NewKey}, {@link
 * io.anabranch.rules.placement.StoredForm}); what is not surely known is refused.
 *
 * <p>May import {@code rules.table}, {@code rules.definition}, {@code rules.function}, {@code
 * rules.routing} and what is below them. Placements are immutable and bound on event loops;
 * questions to databases are asked when planning.
 */
@NullMarked
package io.anabranch.rules.placement;

import org.jspecify.annotations.NullMarked;
