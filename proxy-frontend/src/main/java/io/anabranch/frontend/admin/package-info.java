/**
 * HTTP for operators: {@code AdminServer} answers {@code /metrics}, {@code /health} and {@code
 * /ready} on one event loop of its own, loopback by default.
 *
 * <p>Imports Netty and Gson. What it shows comes from suppliers and pages that the distribution
 * gives; {@code AdminGuard} says who may see the pages.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.admin;
