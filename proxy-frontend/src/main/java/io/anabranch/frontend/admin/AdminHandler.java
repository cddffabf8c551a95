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
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one client of the admin port. */
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Logger log = LoggerFactory.getLogger(AdminHandler.class);
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON_TYPE = "application/json";
  private static final String TEXT_TYPE = "text/plain; charset=utf-8";

  private final Supplier<String> metrics;
  private final Supplier<HealthReport> health;

  AdminHandler(Supplier<String> metrics, Supplier<HealthReport> health) {
    this.metrics = metrics;
    this.health = health;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
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
