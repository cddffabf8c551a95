package io.anabranch.app.tracing;

import io.anabranch.frontend.session.SessionListener;
import io.anabranch.rules.model.ProxyProperties;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Sends a trace of each statement that is to have one: the statement, its planning, its wait for a
 * connection, and each query of a data source. What a collector does not take, or not fast enough,
 * is dropped; no statement waits.
 *
 * <p>See <a href="https://opentelemetry.io/docs/specs/otlp/">OTLP</a> and <a
 * href="https://opentelemetry.io/docs/specs/semconv/database/">the names of attributes</a>.
 */
public final class Tracing implements AutoCloseable {

  private static final String SCOPE = "io.anabranch";
  private static final double PERCENT = 100;
  private static final Duration BETWEEN_BATCHES = Duration.ofSeconds(1);
  private static final long LONGEST_END_SECONDS = 5;

  private final SdkTracerProvider provider;
  private final ToldExporter exporter;
  private final StatementSpans spans;

  /**
   * @param settings with an endpoint
   * @param version of the proxy
   */
  public Tracing(ProxyProperties.Tracing settings, String version) {
    OtlpHttpSpanExporterBuilder sender =
        OtlpHttpSpanExporter.builder().setEndpoint(settings.endpoint());
    if (!settings.authorization().isEmpty()) {
      sender.addHeader("Authorization", settings.authorization());
    }
    exporter = new ToldExporter(sender.build(), settings.endpoint());
    provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault().toBuilder()
                    .put(AttributeKey.stringKey("service.name"), settings.serviceName())
                    .put(AttributeKey.stringKey("service.version"), version)
                    .put(
                        AttributeKey.stringKey("service.instance.id"), UUID.randomUUID().toString())
                    .build())
            .setSampler(
                Sampler.parentBased(Sampler.traceIdRatioBased(settings.samplePercent() / PERCENT)))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter).setScheduleDelay(BETWEEN_BATCHES).build())
            .build();
    spans = new StatementSpans(provider.get(SCOPE, version));
  }

  /** A listener that makes spans of statements, behind another one. */
  public SessionListener behind(SessionListener other) {
    return new TracingListener(other, spans);
  }

  /** Spans that the collector did not take. */
  public long lost() {
    return exporter.lost();
  }

  /** Sends what is left, for at most five seconds. */
  @Override
  public void close() {
    var _ = provider.shutdown().join(LONGEST_END_SECONDS, TimeUnit.SECONDS);
  }
}
