/**
 * Which types of algorithms configurations may name: {@link
 * io.anabranch.rules.config.type.AlgorithmTypes}, the built-in ones and those of {@code ext-lib/}.
 *
 * <p>Imports {@code rules.algorithm} and {@code rules.model}. Immutable.
 */
@NullMarked
package io.anabranch.rules.config.type;

import org.jspecify.annotations.NullMarked;
