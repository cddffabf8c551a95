/**
 * What configuration files say, place by place, and how two of them differ in words.
 *
 * <p>Start at {@link io.anabranch.rules.config.outline.Outline}. Uses SnakeYAML and nothing of the
 * proxy: it takes texts that are known to be valid. Immutable; any thread.
 */
@NullMarked
package io.anabranch.rules.config.outline;

import org.jspecify.annotations.NullMarked;
