/**
 * Who a client is and which databases it may use.
 *
 * <p>{@link io.anabranch.frontend.auth.Authenticator} is the conversation of one connection,
 * without any channel: payloads in, steps out. {@link
 * io.anabranch.frontend.auth.AuthenticationRealm} is what it checks against: one per rule set,
 * immutable. May import {@code protocol.*} and {@code rules.model}, {@code rules.error}. An
 * authenticator belongs to its session's event loop and never blocks it; the realm is shared.
 */
@NullMarked
package io.anabranch.frontend.auth;

import org.jspecify.annotations.NullMarked;
