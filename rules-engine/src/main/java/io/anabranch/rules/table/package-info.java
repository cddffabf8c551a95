/**
 * Tables by the names that statements use: {@link io.anabranch.rules.table.TableDirectory} tells
 * the {@link io.anabranch.rules.table.TablePlace} of a name, {@link
 * io.anabranch.rules.table.PlacedTable} is a reference of a query whose place is known.
 *
 * <p>Start with {@code TableDirectory}. Views over sharded tables are found by {@link
 * io.anabranch.rules.table.LogicalViews}, tables without a rule by {@link
 * io.anabranch.rules.table.SingleTableSearch}. May import {@code rules.task} and what is below it.
 * Made for one statement, on the thread that plans it; asks databases through the catalogue.
 */
@NullMarked
package io.anabranch.rules.table;

import org.jspecify.annotations.NullMarked;
