/**
 * HTTP for operators: {@code AdminServer} answers {@code /metrics}, {@code /health} and {@code
 * /ready} on one event loop of its own, loopback by default.
 *
 * <p>Imports Netty only. What it shows comes from suppliers that the distribution gives.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.admin;
