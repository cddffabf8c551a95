/**
 * The sharding algorithms of Mycat and dble, by their published arithmetic: rows that those have
 * placed are found.
 *
 * <p>Start at {@link io.anabranch.rules.algorithm.mycat.MycatAlgorithms}. All are immutable and are
 * called on event loops. May import {@code rules.algorithm}, {@code rules.value} and {@code
 * rules.error}.
 */
@NullMarked
package io.anabranch.rules.algorithm.mycat;

import org.jspecify.annotations.NullMarked;
