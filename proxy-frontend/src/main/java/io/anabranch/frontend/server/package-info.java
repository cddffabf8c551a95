/**
 * Listening, accepting, draining and closing. {@code ProxyServer} is where to start; {@code
 * ClientHandler} is the one handler of a client's channel: it authenticates, then gives frames to
 * the session's commands one at a time.
 *
 * <p>May import every package of the frontend; nothing imports it but the distribution. Event loops
 * come from {@code frontend.transport}.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.server;
