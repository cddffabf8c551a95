/**
 * ANALYZE, CHECK, OPTIMIZE, REPAIR and CHECKSUM TABLE, with CHECK TABLE … ACROSS SHARDS, and LOCK
 * TABLES and FLUSH.
 *
 * <p>Start with {@link io.anabranch.rules.planner.maintenance.MaintenancePlanner} and {@link
 * io.anabranch.rules.planner.maintenance.LockPlanner}. May import {@code rules.planner.query},
 * {@code rules.planner.view}, {@code rules.definition} and what is below them. Plans on virtual
 * threads; plans are immutable.
 */
@NullMarked
package io.anabranch.rules.planner.maintenance;

import org.jspecify.annotations.NullMarked;
