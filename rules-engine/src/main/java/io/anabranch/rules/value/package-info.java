/**
 * Typed SQL values as routing sees them, and how literals and protocol parameters become values.
 *
 * <p>Start with {@link io.anabranch.rules.value.SqlValue}. Imports {@code rules.lexer} and {@code
 * rules.error} only. All stateless or immutable.
 */
@NullMarked
package io.anabranch.rules.value;

import org.jspecify.annotations.NullMarked;
