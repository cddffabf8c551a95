/**
 * What configurations define by a type: {@link io.anabranch.rules.config.type.AlgorithmReader}
 * reads a definition, {@link io.anabranch.rules.config.type.AlgorithmTypes} are the types, the
 * built-in ones and those of {@code ext-lib/}.
 *
 * <p>Imports {@code rules.algorithm}, {@code rules.model}, {@code rules.secret} and {@code
 * rules.config.yaml}. Immutable.
 */
@NullMarked
package io.anabranch.rules.config.type;

import org.jspecify.annotations.NullMarked;
