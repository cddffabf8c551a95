/**
 * Groups of a primary and replicas: which member runs what, health, failover, consistency, with
 * MariaDB's and MySQL's replication, Galera and Group Replication. Start with {@code
 * ReplicaRoutingIT}; {@code ReplicaFixture} is a group of real servers that tests may stop and
 * promote.
 */
@NullMarked
package io.anabranch.app.replica;

import org.jspecify.annotations.NullMarked;
