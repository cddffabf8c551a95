/**
 * What administrators do to the configuration of a running proxy, whoever does it.
 *
 * <p>Start at {@link io.anabranch.frontend.configuration.ConfigurationControl}, which {@code app}
 * implements. Imports {@code rules.config} only.
 */
@NullMarked
package io.anabranch.frontend.configuration;

import org.jspecify.annotations.NullMarked;
