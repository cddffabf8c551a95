/**
 * Keeps data sources from what is too much for them: those that fail or are slow are given a rest
 * (ADR 130), those that slow down fewer connections, and who waits in vain is sent away (ADR 150).
 *
 * <p>Start at {@link io.anabranch.backend.breaker.CircuitBreaker}; pools ask it before they give a
 * connection out, and what reads answers tells an {@link
 * io.anabranch.backend.breaker.AnswerListener} of them. Imports {@code rules.model} and {@code
 * rules.error}.
 *
 * <p>Threads: called on event loops and virtual threads; nothing waits.
 */
@NullMarked
package io.anabranch.backend.breaker;

import org.jspecify.annotations.NullMarked;
