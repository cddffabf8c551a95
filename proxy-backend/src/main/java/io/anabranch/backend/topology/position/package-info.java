/**
 * Positions in a server's binary log, by MariaDB's domains or MySQL's sources: whether a replica
 * has what was written.
 *
 * <p>Start with {@link io.anabranch.backend.topology.position.Position}. Immutable; imports
 * nothing.
 */
@NullMarked
package io.anabranch.backend.topology.position;

import org.jspecify.annotations.NullMarked;
