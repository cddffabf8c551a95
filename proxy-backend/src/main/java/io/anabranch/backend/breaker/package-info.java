/**
 * Gives data sources that fail or are slow a rest (ADR 130).
 *
 * <p>Start at {@link io.anabranch.backend.breaker.CircuitBreaker}; pools ask it before they give a
 * connection out, and what reads answers tells it of them. Imports {@code rules.model} and {@code
 * rules.error}.
 *
 * <p>Threads: called on event loops and virtual threads; nothing waits.
 */
@NullMarked
package io.anabranch.backend.breaker;

import org.jspecify.annotations.NullMarked;
