/**
 * What clients ask: one record per command and its decoder, and the writer of the commands that the
 * proxy sends to databases.
 *
 * <p>Imports Netty's {@code ByteBuf}, {@code protocol.type} and {@code protocol.frame}. Start with
 * {@link io.anabranch.protocol.command.ClientCommand}. Pure functions and immutable records: any
 * thread.
 */
@NullMarked
package io.anabranch.protocol.command;

import org.jspecify.annotations.NullMarked;
