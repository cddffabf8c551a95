/**
 * How the kernel is talked to: {@code Transport} chooses the channels and makes the event loops,
 * {@code SocketFile} is where clients of this machine connect.
 *
 * <p>Imports {@code backend.loop} only. Event loops are shared with the backend; whoever made a
 * group ends it.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.transport;
