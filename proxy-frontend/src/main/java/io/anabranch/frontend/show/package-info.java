/**
 * SHOW of what the proxy knows itself: databases, sessions, grants, groups, the session's own
 * variables and status.
 *
 * <p>Start with {@link io.anabranch.frontend.show.ShowCommand}; each class is one family and ends
 * with an {@code Answer}. May import {@code frontend.effect}, {@code frontend.current}, {@code
 * frontend.privilege} and what is below them. On the session's event loop; what asks a database
 * does so on a virtual thread.
 */
@NullMarked
package io.anabranch.frontend.show;

import org.jspecify.annotations.NullMarked;
