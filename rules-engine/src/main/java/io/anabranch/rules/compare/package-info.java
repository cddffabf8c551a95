/**
 * Which values the proxy may compare itself, and how: closed lists with one owner each. What is not
 * on a list is compared by a database.
 *
 * <p>Start with {@code Comparability} (types); {@code DecidedCollations} says which strings compare
 * by their weights, {@code UnitedColumns} which columns a UNION leaves as they are. Knows nothing
 * of planning; everything here is immutable.
 */
@NullMarked
package io.anabranch.rules.compare;

import org.jspecify.annotations.NullMarked;
