/**
 * A session's prepared statements: their texts, the types they were executed with, long data and
 * open cursors, and the bytes that all of that keeps.
 *
 * <p>Start with {@link io.anabranch.frontend.session.prepared.PreparedStatements}. Knows nothing of
 * the session; belongs to its event loop.
 */
@NullMarked
package io.anabranch.frontend.session.prepared;

import org.jspecify.annotations.NullMarked;
