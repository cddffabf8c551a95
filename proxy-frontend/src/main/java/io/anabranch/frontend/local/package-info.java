/**
 * Statements that the proxy answers itself: SET, BEGIN, KILL, PREPARE, GET DIAGNOSTICS, EXPLAIN
 * ROUTE. One class a family, each of which ends with an {@code Answer}.
 *
 * <p>Start with {@link io.anabranch.frontend.local.LocalStatements}, which knows the families. May
 * import {@code frontend.show}, {@code frontend.execution}, {@code frontend.effect} and what is
 * below them. On the session's event loop; what asks a database does so on a virtual thread.
 */
@NullMarked
package io.anabranch.frontend.local;

import org.jspecify.annotations.NullMarked;
