/**
 * Prepared statements and parameters: their commands, types, cursors, bulk execution, attributes.
 * Start with {@code PreparedCommandsIT}.
 */
@NullMarked
package io.anabranch.app.prepared;

import org.jspecify.annotations.NullMarked;
