/**
 * CREATE, ALTER, DROP, RENAME and TRUNCATE of tables: done to every node, checked before and looked
 * at afterwards.
 *
 * <p>Start with {@link io.anabranch.rules.planner.definition.DdlPlanner}, which also hands views,
 * triggers and routines to their rooms. May import {@code rules.planner.view}, {@code
 * rules.planner.program}, {@code rules.planner.query}, {@code rules.definition} and what is below
 * them. Plans on virtual threads; plans are immutable.
 */
@NullMarked
package io.anabranch.rules.planner.definition;

import org.jspecify.annotations.NullMarked;
