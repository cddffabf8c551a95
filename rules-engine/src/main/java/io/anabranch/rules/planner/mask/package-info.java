/**
 * Statements of users who see columns masked: what reads them in a way that is understood has its
 * answer masked, all else that mentions such a table is refused.
 *
 * <p>Start at {@link io.anabranch.rules.planner.mask.MaskGuard}. The law: no value of a masked
 * column decides anything that such a user can see. May import what {@code rules.planner.query}
 * may, and that. Immutable; used on threads that plan.
 */
@NullMarked
package io.anabranch.rules.planner.mask;

import org.jspecify.annotations.NullMarked;
