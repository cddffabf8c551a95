/**
 * Spans of statements for a collector, by OTLP.
 *
 * <p>Start at {@link io.anabranch.app.tracing.Tracing}. Imports {@code frontend.session} and {@code
 * frontend.statementlog}; alone knows OpenTelemetry. Spans are made behind answers, on the event
 * loops of their sessions, and sent by a thread of OpenTelemetry's.
 */
@NullMarked
package io.anabranch.app.tracing;

import org.jspecify.annotations.NullMarked;
