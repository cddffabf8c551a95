/**
 * Values in the text of a statement that only the proxy knows: literals in the place of functions
 * and variables, schemas in the place of USE.
 *
 * <p>Start with {@link io.anabranch.frontend.rewrite.SessionFunctions}. May import {@code
 * frontend.effect}, {@code frontend.current} and what is below them. On the session's event loop,
 * or the thread that plans.
 */
@NullMarked
package io.anabranch.frontend.rewrite;

import org.jspecify.annotations.NullMarked;
