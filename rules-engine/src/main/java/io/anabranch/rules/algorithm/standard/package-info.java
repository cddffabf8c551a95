/**
 * The sharding algorithms and key generators that the proxy has: {@link
 * io.anabranch.rules.algorithm.standard.AlgorithmCatalogue} makes them by their types' names.
 *
 * <p>They give the same target as ShardingSphere's algorithms of the same type, so that existing
 * data is found. All are immutable (key generators: thread-safe). May import {@code
 * rules.algorithm}, {@code rules.value}, {@code rules.error} and {@code rules.expression}.
 */
@NullMarked
package io.anabranch.rules.algorithm.standard;

import org.jspecify.annotations.NullMarked;
