/**
 * Administration in SQL, in the words of ShardingSphere's DistSQL: what rules and data sources
 * there are, and what the configuration says.
 *
 * <p>Start at {@link io.anabranch.frontend.administration.AdministrationStatements}, the one table
 * of all such statements; {@link io.anabranch.frontend.administration.AdministrationCommand}
 * answers them. A form says how a statement is written, who may use it, its columns, and who makes
 * the rows. Rows are made on a virtual thread: handlers may read files and ask databases.
 */
@NullMarked
package io.anabranch.frontend.administration;

import org.jspecify.annotations.NullMarked;
