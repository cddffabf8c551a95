/**
 * The connection phase: greeting, the client's response, authentication packets, and the two
 * password methods as pure functions.
 *
 * <p>Imports Netty's {@code ByteBuf} and {@code protocol.type}. Start with {@link
 * io.anabranch.protocol.handshake.Greeting}. Any thread.
 */
@NullMarked
package io.anabranch.protocol.handshake;

import org.jspecify.annotations.NullMarked;
