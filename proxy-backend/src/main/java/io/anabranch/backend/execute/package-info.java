/**
 * The merge lane: walks a plan over several databases on a virtual thread.
 *
 * <p>Start at {@link io.anabranch.backend.execute.PlanWalker}. {@link
 * io.anabranch.backend.execute.catalog.LiveCatalog} answers the planner's questions from the
 * databases. {@code source} is a statement's work on one data source, {@code read} queries, {@code
 * change} what writes.
 *
 * <p>Imports {@code merge}, {@code transaction}, {@code pool}, {@code shard} and the plan language.
 * A statement runs on the virtual thread of its caller; a child virtual thread per data source
 * waits for the database, and none outlives the statement.
 */
@NullMarked
package io.anabranch.backend.execute;

import org.jspecify.annotations.NullMarked;
