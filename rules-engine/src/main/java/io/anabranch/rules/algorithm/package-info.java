/**
 * Sharding algorithms and key generators: from the value of a column to the place of its row.
 *
 * <p>Start at {@link io.anabranch.rules.algorithm.ShardingAlgorithm} and {@link
 * io.anabranch.rules.algorithm.standard.AlgorithmCatalogue}. The built-ins give the same target as
 * ShardingSphere's algorithms of the same type, so that existing data is found. All types are
 * immutable (key generators: thread-safe) and are called on event loops: no I/O, no locks held
 * long.
 *
 * <p>May import {@code rules.value}, {@code rules.error} and {@code rules.expression}.
 */
@NullMarked
package io.anabranch.rules.algorithm;

import org.jspecify.annotations.NullMarked;
