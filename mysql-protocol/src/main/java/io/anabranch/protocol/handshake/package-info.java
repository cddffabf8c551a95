@NullMarked
package io.anabranch.protocol.handshake;

import org.jspecify.annotations.NullMarked;
