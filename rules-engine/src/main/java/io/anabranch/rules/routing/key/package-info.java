/**
 * The columns that rows are placed by: their types, the values that conditions give them, and which
 * columns of one statement are equal.
 *
 * <p>Start with {@link io.anabranch.rules.routing.key.KeyType} and {@link
 * io.anabranch.rules.routing.key.Equalities}. May import {@code rules.sql}, {@code rules.plan},
 * {@code rules.model} and {@code rules.value}. Everything here is immutable.
 */
@NullMarked
package io.anabranch.rules.routing.key;

import org.jspecify.annotations.NullMarked;
