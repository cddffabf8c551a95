/**
 * Statements of load tests and where they go: {@link io.anabranch.rules.model.shadow.ShadowRule},
 * whose algorithms {@link io.anabranch.rules.model.shadow.ShadowAlgorithms} makes of their {@code
 * type} and {@code props}.
 *
 * <p>All are thread-safe and do no I/O. May import {@code rules.algorithm}, {@code rules.value} and
 * {@code rules.model.protection}.
 */
@NullMarked
package io.anabranch.rules.model.shadow;

import org.jspecify.annotations.NullMarked;
