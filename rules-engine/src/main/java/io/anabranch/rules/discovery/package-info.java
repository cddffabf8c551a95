/**
 * The SPI of who knows which member of a group is its primary: {@link
 * io.anabranch.rules.discovery.PrimaryDiscoveryProvider}. Built-in ways are {@code
 * rules.model.Discovery.Kind}.
 *
 * <p>Imports {@code rules.algorithm.plugin}.
 */
@NullMarked
package io.anabranch.rules.discovery;

import org.jspecify.annotations.NullMarked;
