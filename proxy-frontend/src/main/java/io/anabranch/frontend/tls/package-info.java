/**
 * TLS with clients: the certificate, given or made here, and the handlers that speak it.
 *
 * <p>Start with {@link io.anabranch.frontend.tls.ClientTls}. May import {@code rules.model},
 * Netty's {@code handler.ssl}, and Bouncy Castle for what is written in DER and PEM: its provider
 * is not installed, cryptography is Java's own. Built once at the start, then shared by all event
 * loops; key operations of handshakes run on the executor that is given, not on event loops.
 */
@NullMarked
package io.anabranch.frontend.tls;

import org.jspecify.annotations.NullMarked;
