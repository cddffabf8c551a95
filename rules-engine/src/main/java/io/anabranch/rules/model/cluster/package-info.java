/**
 * How several proxies work as one: where they keep the configuration that they share.
 *
 * <p>Start at {@link io.anabranch.rules.model.cluster.ClusterRepository}. Imports {@code
 * rules.model}. Immutable.
 */
@NullMarked
package io.anabranch.rules.model.cluster;

import org.jspecify.annotations.NullMarked;
