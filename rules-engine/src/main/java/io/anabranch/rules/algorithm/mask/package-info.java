/**
 * What becomes of values that a user may not see: {@link io.anabranch.rules.algorithm.mask.Maskers}
 * makes maskers by their types' names, the field's own.
 *
 * <p>All are thread-safe and do no I/O. May import {@code rules.algorithm}.
 */
@NullMarked
package io.anabranch.rules.algorithm.mask;

import org.jspecify.annotations.NullMarked;
