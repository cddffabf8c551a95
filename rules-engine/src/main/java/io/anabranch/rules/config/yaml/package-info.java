/**
 * Texts of YAML as sections and values that know their place, and the problems that are found in
 * them.
 *
 * <p>Start at {@link io.anabranch.rules.config.yaml.Section}: a key that nobody asks for is an
 * unknown key. Beside it only {@code document} and {@code outline} use SnakeYAML. Single-threaded.
 */
@NullMarked
package io.anabranch.rules.config.yaml;

import org.jspecify.annotations.NullMarked;
