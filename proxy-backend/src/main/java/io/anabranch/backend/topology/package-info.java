/**
 * Which data source runs a statement: groups, their members' health, and who is the primary.
 *
 * <p>Start at {@link io.anabranch.backend.topology.Topology}, made from one {@link
 * io.anabranch.rules.model.LogicalDatabase}. Whoever probes tells it what the data sources answer
 * ({@code backend.health}); a {@code ReplicaGroup} makes a new {@code GroupView} of that, which
 * statements look at without a lock. What one transaction remembers is its own {@link
 * io.anabranch.backend.topology.TransactionMembers}.
 *
 * <p>Imports {@code rules.model}, {@code rules.plan} and {@code rules.error} only; owns no threads.
 */
@NullMarked
package io.anabranch.backend.topology;

import org.jspecify.annotations.NullMarked;
