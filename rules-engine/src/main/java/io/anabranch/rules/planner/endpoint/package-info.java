/**
 * Statements that one server answers for the whole logical database, and what must change in them
 * for that: names of databases, and what a user may not see of the catalogue.
 *
 * <p>Start with {@link io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner}. May import
 * {@code rules.resolve}, {@code rules.metadata}, {@code rules.syntax.qualifier} and what is below
 * them. Plans on virtual threads; plans are immutable.
 */
@NullMarked
package io.anabranch.rules.planner.endpoint;

import org.jspecify.annotations.NullMarked;
