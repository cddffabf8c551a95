/**
 * A database's file as the statements that would make what it says.
 *
 * <p>Start at {@link io.anabranch.frontend.administration.conversion.Conversion}: the counterpart
 * of {@code administration.definition}. What has no words in DistSQL is told. Stateless; any
 * thread.
 */
@NullMarked
package io.anabranch.frontend.administration.conversion;

import org.jspecify.annotations.NullMarked;
