/**
 * The SPI of who chooses among the replicas of a group: {@link
 * io.anabranch.rules.algorithm.balance.LoadBalancerProvider}. Built-in ones are {@code
 * rules.model.ReplicationGroup.Balance}.
 *
 * <p>Balancers are asked by event loops: thread-safe, and no I/O. May import {@code
 * rules.algorithm.plugin}.
 */
@NullMarked
package io.anabranch.rules.algorithm.balance;

import org.jspecify.annotations.NullMarked;
