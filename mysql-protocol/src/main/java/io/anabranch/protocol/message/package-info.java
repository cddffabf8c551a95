/**
 * What servers answer: records with decoder and encoder as pure functions of the capabilities,
 * readers and writers of rows over byte arrays, and {@link
 * io.anabranch.protocol.message.ResultSetState}, which tells what each packet of a response is.
 *
 * <p>Imports Netty's {@code ByteBuf} and {@code protocol.type} and {@code protocol.frame}. Start
 * with {@code ResultSetState}. Decoders read a payload (no header) and don't release it; encoders
 * append a payload, to be framed by {@code PacketWriter.begin/end}. Records: any thread; readers,
 * writers and the state machine: one at a time.
 */
@NullMarked
package io.anabranch.protocol.message;

import org.jspecify.annotations.NullMarked;
