/**
 * The protocol's vocabulary: capability bits, status flags, column types and flags, collations,
 * length-encoded integers and the exception for malformed packets.
 *
 * <p>Imports nothing but Netty's {@code ByteBuf}. Start with {@link
 * io.anabranch.protocol.type.LengthEncoded}. Everything is immutable or pure: any thread.
 */
@NullMarked
package io.anabranch.protocol.type;

import org.jspecify.annotations.NullMarked;
