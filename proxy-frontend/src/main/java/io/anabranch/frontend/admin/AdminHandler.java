package io.anabranch.frontend.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one client of the admin port. */
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Logger log = LoggerFactory.getLogger(AdminHandler.class);
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON_TYPE = "application/json";
  private static final String TEXT_TYPE = "text/plain; charset=utf-8";
  private static final int FAILED = 500;

  private final Supplier<String> metrics;
  private final Supplier<HealthReport> health;
  private final List<AdminPage> pages;

  AdminHandler(Supplier<String> metrics, Supplier<HealthReport> health, List<AdminPage> pages) {
    this.metrics = metrics;
    this.health = health;
    this.pages = pages;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    for (AdminPage page : pages) {
      if (page.path().equals(new QueryStringDecoder(request.uri()).path())) {
        page(ctx, request.retain(), page);
        return;
      }
    }
    boolean headOnly = request.method().equals(HttpMethod.HEAD);
    if (!headOnly && !request.method().equals(HttpMethod.GET)) {
      reply(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, TEXT_TYPE, "GET only\n");
      return;
    }
    int query = request.uri().indexOf('?');
    String path = query < 0 ? request.uri() : request.uri().substring(0, query);
    switch (path) {
      case "/metrics" -> reply(ctx, request, HttpResponseStatus.OK, METRICS_TYPE, metrics.get());
      case "/health" -> {
        HealthReport report = health.get();
        reply(ctx, request, status(report.isHealthy()), JSON_TYPE, report.toJson());
      }
      case "/ready" -> {
        HealthReport report = health.get();
        reply(ctx, request, status(report.isReady()), JSON_TYPE, report.toJson());
      }
      default ->
          reply(
              ctx,
              request,
              HttpResponseStatus.NOT_FOUND,
              TEXT_TYPE,
              "here are /metrics, /health and /ready\n");
    }
  }

  /** A browser that another site's page makes send something says so by its Origin. */
  private static void page(ChannelHandlerContext ctx, FullHttpRequest request, AdminPage page) {
    boolean changes = request.method().equals(HttpMethod.POST);
    boolean isAllowed = changes || request.method().equals(HttpMethod.GET);
    if (!isAllowed || (changes && request.headers().contains(HttpHeaderNames.ORIGIN))) {
      reply(
          ctx,
          request,
          isAllowed ? HttpResponseStatus.FORBIDDEN : HttpResponseStatus.METHOD_NOT_ALLOWED,
          TEXT_TYPE,
          "GET, or POST without a browser\n");
      request.release();
      return;
    }
    var parameters = new HashMap<String, String>();
    new QueryStringDecoder(request.uri())
        .parameters()
        .forEach((name, values) -> parameters.put(name, values.getFirst()));
    Thread.ofVirtual()
        .name("admin-page")
        .start(
            () -> {
              AdminPage.Text answer;
              try {
                answer = page.answer(changes, parameters);
              } catch (RuntimeException failure) {
                log.warn("admin: {} failed", request.uri(), failure);
                answer = new AdminPage.Text(FAILED, failure.getMessage() + "\n");
              }
              AdminPage.Text told = answer;
              ctx.executor()
                  .execute(
                      () -> {
                        reply(
                            ctx,
                            request,
                            HttpResponseStatus.valueOf(told.status()),
                            told.status() == FAILED ? TEXT_TYPE : JSON_TYPE,
                            told.body());
                        request.release();
                      });
            });
  }

  private static HttpResponseStatus status(boolean good) {
    return good ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
  }

  private static void reply(
      ChannelHandlerContext ctx,
      FullHttpRequest request,
      HttpResponseStatus status,
      String type,
      String body) {
    ByteBuf content = Unpooled.copiedBuffer(body, StandardCharsets.UTF_8);
    int length = content.readableBytes();
    if (request.method().equals(HttpMethod.HEAD)) {
      content.clear();
    }
    var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, length);
    if (HttpUtil.isKeepAlive(request)) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
      ctx.writeAndFlush(response);
    } else {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    log.warn("admin: request of {} failed", ctx.channel().remoteAddress(), cause);
    ctx.close();
  }
}
