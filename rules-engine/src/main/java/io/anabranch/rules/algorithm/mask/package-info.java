/**
 * What becomes of values that a user may not see: {@link
 * io.anabranch.rules.algorithm.mask.MaskerCatalogue} makes maskers by their types' names, the
 * field's own or those of an {@link io.anabranch.rules.algorithm.mask.MaskerProvider}.
 *
 * <p>All are thread-safe and do no I/O. May import {@code rules.algorithm} and {@code rules.error}.
 */
@NullMarked
package io.anabranch.rules.algorithm.mask;

import org.jspecify.annotations.NullMarked;
