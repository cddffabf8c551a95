/**
 * What clients can make the proxy keep is bounded: rows, texts, packets, statements, against a
 * process with a small heap. Start with {@code BoundsIT}; {@code HostilePackets} is what
 * misbehaving clients send.
 */
@NullMarked
package io.anabranch.app.bounds;

import org.jspecify.annotations.NullMarked;
