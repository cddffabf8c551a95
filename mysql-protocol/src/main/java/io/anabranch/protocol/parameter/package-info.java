/**
 * What MySQL makes of the types of a prepared statement's parameters: kinds of types, which of them
 * a statement takes as it stands, and what its former executions have left.
 *
 * <p>Imports {@code protocol.type}. Start with {@link io.anabranch.protocol.parameter.TypeHistory}.
 * A history belongs to one session's event loop; the rest are pure functions.
 */
@NullMarked
package io.anabranch.protocol.parameter;

import org.jspecify.annotations.NullMarked;
