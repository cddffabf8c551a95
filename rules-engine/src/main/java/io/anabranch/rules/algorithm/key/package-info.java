/**
 * The key generators that the proxy has: {@link io.anabranch.rules.algorithm.key.KeyGenerators}
 * makes them by their types' names.
 *
 * <p>All are thread-safe and are called on event loops. May import {@code rules.algorithm}, {@code
 * rules.value} and {@code rules.error}.
 */
@NullMarked
package io.anabranch.rules.algorithm.key;

import org.jspecify.annotations.NullMarked;
