/**
 * Statements of databases whose tables have shadows: each is planned for production and for the
 * shadow, and its values, its hint or its user decide which of the two plans is bound.
 *
 * <p>Start at {@link io.anabranch.rules.planner.shadow.ShadowPlanner}. The law: what no algorithm
 * matches goes to production, and production does not depend on the shadow. May import {@code
 * rules.syntax}, {@code rules.table}, {@code rules.catalog}, {@code rules.task}, {@code rules.plan}
 * and {@code rules.model}. Immutable; used on threads that plan, plans on any.
 */
@NullMarked
package io.anabranch.rules.planner.shadow;

import org.jspecify.annotations.NullMarked;
