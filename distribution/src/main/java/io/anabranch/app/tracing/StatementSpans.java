package io.anabranch.app.tracing;

import io.anabranch.backend.execute.source.QueryTimes;
import io.anabranch.backend.execute.source.QueryTimes.Ran;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.TraceParent;
import io.anabranch.frontend.statementlog.LoggedStatement;
import io.anabranch.rules.lexer.Scan;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a statement that has ended. What a text says of itself is without its literals. On
 * the session's event loop.
 */
final class StatementSpans {

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  private static final AttributeKey<String> NAMESPACE = AttributeKey.stringKey("db.namespace");
  private static final AttributeKey<String> TEXT = AttributeKey.stringKey("db.query.text");
  private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
  private static final AttributeKey<String> STATUS =
      AttributeKey.stringKey("db.response.status_code");
  private static final AttributeKey<Long> ROWS = AttributeKey.longKey("db.response.returned_rows");
  private static final AttributeKey<Long> CHANGED = AttributeKey.longKey("anabranch.rows_affected");
  private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
  private static final AttributeKey<String> USER = AttributeKey.stringKey("user.name");
  private static final AttributeKey<Long> SESSION = AttributeKey.longKey("anabranch.session");
  private static final AttributeKey<String> WAY = AttributeKey.stringKey("anabranch.way");
  private static final AttributeKey<String> TAG = AttributeKey.stringKey("anabranch.tag");
  private static final AttributeKey<String> SOURCE =
      AttributeKey.stringKey("anabranch.data_source");

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int TRACE_START = 3;
  private static final int SPAN_START = 36;
  private static final int FLAGS_START = 53;

  private final Tracer tracer;

  StatementSpans(Tracer tracer) {
    this.tracer = tracer;
  }

  void make(ExecutedStatement statement) {
    long ended = statement.ended();
    long began = ended - statement.totalNanos();
    var clock = new WallClock();
    String kind = statement.kind().name();
    String database = statement.database();
    Span whole =
        tracer
            .spanBuilder(database == null ? kind : kind + " " + database)
            .setParent(parent(statement))
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(clock.at(began), TimeUnit.NANOSECONDS)
            .startSpan();
    if (whole.isRecording()) {
      describe(whole, LoggedStatement.of(statement, false));
      Context parts = Context.root().with(whole);
      part("plan", began, began + statement.planNanos(), parts, clock);
      parts(statement, began + statement.planNanos(), parts, clock);
      fail(whole, statement.errno());
    }
    whole.end(clock.at(ended), TimeUnit.NANOSECONDS);
  }

  private static void describe(Span whole, LoggedStatement statement) {
    whole.setAttribute(SYSTEM, "mysql");
    whole.setAttribute(OPERATION, statement.kind().name());
    whole.setAttribute(TEXT, statement.text());
    whole.setAttribute(CLIENT, statement.client());
    whole.setAttribute(USER, statement.user());
    whole.setAttribute(SESSION, (long) statement.session());
    whole.setAttribute(WAY, statement.lane().name().toLowerCase(Locale.ROOT));
    whole.setAttribute(ROWS, statement.rows());
    whole.setAttribute(CHANGED, statement.affectedRows());
    if (statement.database() != null) {
      whole.setAttribute(NAMESPACE, statement.database());
    }
    if (statement.tag() != null) {
      whole.setAttribute(TAG, statement.tag());
    }
  }

  /** What came behind planning. */
  private void parts(ExecutedStatement statement, long planned, Context parts, WallClock clock) {
    long leased = planned + statement.leaseNanos();
    if (statement.leaseNanos() > 0) {
      part("lease", planned, leased, parts, clock);
    }
    String source = statement.dataSource();
    QueryTimes merged = statement.queries();
    List<Ran> queries =
        merged != null
            ? merged.queries()
            : source == null
                ? List.of()
                : List.of(new Ran(source, leased, statement.ended(), statement.errno()));
    for (Ran query : queries) {
      query(query, parts, clock);
    }
  }

  private void part(String name, long began, long ended, Context parts, WallClock clock) {
    begin(name, began, parts, clock).startSpan().end(clock.at(ended), TimeUnit.NANOSECONDS);
  }

  private void query(Ran query, Context parts, WallClock clock) {
    Span span =
        begin("query " + query.dataSource(), query.began(), parts, clock)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(SYSTEM, "mysql")
            .setAttribute(SOURCE, query.dataSource())
            .startSpan();
    fail(span, query.errno());
    span.end(clock.at(query.ended()), TimeUnit.NANOSECONDS);
  }

  private SpanBuilder begin(String name, long began, Context parts, WallClock clock) {
    return tracer
        .spanBuilder(name)
        .setParent(parts)
        .setStartTimestamp(clock.at(began), TimeUnit.NANOSECONDS);
  }

  private static void fail(Span span, int errno) {
    if (errno != 0) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(STATUS, Integer.toString(errno));
    }
  }

  /** That of the client's trace, if the statement belongs to one. */
  private static Context parent(ExecutedStatement statement) {
    Session session = statement.session();
    Scan scan = statement.scan();
    String told =
        TraceParent.of(
            session.queryAttributes(),
            session.charset(),
            session.attributes(),
            scan.sql(),
            scan.start(),
            scan.end());
    SpanContext remote = told == null ? null : context(told);
    return remote == null || !remote.isValid()
        ? Context.root()
        : Context.root().with(Span.wrap(remote));
  }

  private static @Nullable SpanContext context(String traceParent) {
    return SpanContext.createFromRemoteParent(
        traceParent.substring(TRACE_START, SPAN_START - 1),
        traceParent.substring(SPAN_START, FLAGS_START - 1),
        TraceFlags.fromHex(traceParent, FLAGS_START),
        TraceState.getDefault());
  }

  /** {@link System#nanoTime} as time since 1970. */
  private static final class WallClock {
    private final long offset;

    WallClock() {
      Instant now = Instant.now();
      offset = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano() - System.nanoTime();
    }

    long at(long nanoTime) {
      return nanoTime + offset;
    }
  }
}
