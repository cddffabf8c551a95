/**
 * What databases tell while statements are planned: tables, views, constraints, columns of results.
 *
 * <p>Start with {@link io.anabranch.rules.catalog.SchemaCatalog}, which the backend implements over
 * live connections and tests by hand. The other catalogues answer as it does but for what they say
 * themselves: tables that are about to be made, temporary ones, results as they are stored. {@link
 * io.anabranch.rules.catalog.TemporaryTables} are those of one session.
 *
 * <p>May import {@code rules.syntax}, {@code rules.definition}, {@code rules.compare}, {@code
 * rules.model} and what these may. A catalogue may block, so it is asked on virtual threads only;
 * its answers are immutable.
 */
@NullMarked
package io.anabranch.rules.catalog;

import org.jspecify.annotations.NullMarked;
