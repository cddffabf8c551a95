/**
 * The compressed protocol: packets inside of larger packets with a header of their own, zlib or
 * zstd, once a client has authenticated.
 *
 * <p>Imports Netty, {@code protocol.frame}'s constants and {@code protocol.type}. Start with {@link
 * io.anabranch.protocol.compression.CompressedProtocol}. All of it belongs to one channel and its
 * event loop.
 */
@NullMarked
package io.anabranch.protocol.compression;

import org.jspecify.annotations.NullMarked;
