/**
 * How clients and the proxy get in: passwords, TLS, certificates, socket files, the header of a
 * load balancer, secrets in files. Start with {@code ClientConnectionsIT}.
 */
@NullMarked
package io.anabranch.app.login;

import org.jspecify.annotations.NullMarked;
