/**
 * This proxy's part in a cluster of proxies that share one configuration.
 *
 * <p>Start at {@link io.anabranch.app.cluster.Cluster}: it joins before the proxy is built, agrees
 * with the others on each change, and then follows them on a thread of its own. Imports {@code
 * app.live}, {@code backend.registry} and {@code rules.config}.
 */
@NullMarked
package io.anabranch.app.cluster;

import org.jspecify.annotations.NullMarked;
