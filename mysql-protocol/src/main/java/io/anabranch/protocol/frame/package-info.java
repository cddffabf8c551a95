/**
 * Packets on the wire: a header of three length bytes and a sequence number, then the payload;
 * payloads of 16 MiB − 1 and more go in several packets.
 *
 * <p>Imports Netty and {@code protocol.type}. {@link io.anabranch.protocol.frame.FrameDecoder} is
 * the reading side for clients (whole payloads), {@link io.anabranch.protocol.frame.PacketScanner}
 * for databases (packets in passing), {@link io.anabranch.protocol.frame.PacketWriter} writes.
 * Decoder and scanner belong to one channel and its event loop.
 */
@NullMarked
package io.anabranch.protocol.frame;

import org.jspecify.annotations.NullMarked;
