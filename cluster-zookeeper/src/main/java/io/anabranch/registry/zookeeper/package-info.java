/**
 * The registry of a cluster in ZooKeeper.
 *
 * <p>Start at {@link io.anabranch.registry.zookeeper.ZooKeeperRegistry}, which the proxy finds by
 * {@link io.anabranch.registry.zookeeper.ZooKeeperProvider} where this module's jars lie in {@code
 * ext-lib/}: a proxy by itself does without them.
 */
@NullMarked
package io.anabranch.registry.zookeeper;

import org.jspecify.annotations.NullMarked;
