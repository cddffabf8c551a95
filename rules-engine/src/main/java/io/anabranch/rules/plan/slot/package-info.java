/**
 * The values that a plan is bound to: a statement's literals, or a prepared statement's parameters.
 *
 * <p>Start with {@link io.anabranch.rules.plan.slot.SlotValues}. May import {@code rules.lexer} and
 * {@code rules.value}. Slot values belong to the session that binds.
 */
@NullMarked
package io.anabranch.rules.plan.slot;

import org.jspecify.annotations.NullMarked;
