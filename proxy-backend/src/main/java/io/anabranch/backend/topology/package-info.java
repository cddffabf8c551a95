/**
 * Which member of a read/write group runs a statement.
 *
 * <p>Start at {@link io.anabranch.backend.topology.Topology}: immutable, made from one {@link
 * io.anabranch.rules.model.LogicalDatabase}, swapped whole when the configuration changes. What one
 * transaction remembers is its own {@link io.anabranch.backend.topology.TransactionMembers}.
 *
 * <p>Imports {@code rules.model} and {@code rules.plan} only; owns no threads.
 */
@NullMarked
package io.anabranch.backend.topology;

import org.jspecify.annotations.NullMarked;
