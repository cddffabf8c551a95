/**
 * Tables of {@code information_schema} as a logical database shows them: logical names, one node
 * for each sharded table, counts of all of them, and nothing of databases that the user does not
 * see.
 *
 * <p>Start with {@link io.anabranch.rules.metadata.CatalogueTable}, which writes one such table as
 * a derived table. May import {@code rules.rewrite}, {@code rules.task} and what is below them.
 * Made for one statement, on the thread that plans it; asks databases through the catalogue.
 */
@NullMarked
package io.anabranch.rules.metadata;

import org.jspecify.annotations.NullMarked;
