/**
 * What a statement may cost before it has run: how deep it is nested, where large ones are planned,
 * and how that ends when nobody waits for it any more. May use {@code rules.error} and {@code
 * rules.lexer}. Begin with {@link io.anabranch.rules.effort.PlanningRoom}, which owns the threads
 * that large statements are planned on.
 */
@NullMarked
package io.anabranch.rules.effort;

import org.jspecify.annotations.NullMarked;
