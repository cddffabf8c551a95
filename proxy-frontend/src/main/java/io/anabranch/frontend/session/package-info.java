/**
 * What the proxy remembers of a client: {@code Session} is where to start, the parts that it is
 * made of have their own classes. State only; what commands do with it is in {@code
 * frontend.command} and the rooms below that.
 *
 * <p>May import {@code frontend.response}, the backend and the rules. A session belongs to the
 * event loop of its client's channel: other threads reach it by {@code
 * Session.loop().execute(...)}. The {@code SessionRegistry} alone is thread-safe.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.session;
