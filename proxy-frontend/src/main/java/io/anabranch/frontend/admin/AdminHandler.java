package io.anabranch.frontend.admin;

import com.google.gson.JsonElement;
import io.anabranch.frontend.admin.AdminGuard.Verdict;
import io.anabranch.frontend.notice.Pace;
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
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one client of the admin port. */
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Logger log = LoggerFactory.getLogger(AdminHandler.class);
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String JSON_TYPE = "application/json";
  private static final String TEXT_TYPE = "text/plain; charset=utf-8";
  private static final int FAILED = 500;

  private final AdminContent content;
  private final AdminGuard guard;

  AdminHandler(AdminContent content) {
    this.content = content;
    this.guard = new AdminGuard(content.token());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    String path = new QueryStringDecoder(request.uri()).path();
    for (AdminPage page : content.pages()) {
      if (page.path().equals(path)) {
        page(ctx, request, page);
        return;
      }
    }
    boolean headOnly = request.method().equals(HttpMethod.HEAD);
    if (!headOnly && !request.method().equals(HttpMethod.GET)) {
      refuse(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, "GET only");
      return;
    }
    switch (path) {
      case "/metrics" ->
          reply(ctx, request, HttpResponseStatus.OK, METRICS_TYPE, content.metrics().get());
      case "/health" -> {
        HealthReport report = content.health().get();
        reply(ctx, request, status(report.isHealthy()), report.toJson());
      }
      case "/ready" -> {
        HealthReport report = content.health().get();
        reply(ctx, request, status(report.isReady()), report.toJson());
      }
      case "/" -> reply(ctx, request, HttpResponseStatus.OK, TEXT_TYPE, paths() + "\n");
      default -> refuse(ctx, request, HttpResponseStatus.NOT_FOUND, "here are " + paths());
    }
  }

  private String paths() {
    return Stream.concat(
            Stream.of("/metrics", "/health", "/ready"),
            content.pages().stream().map(AdminPage::path).sorted())
        .collect(Collectors.joining(", "));
  }

  private void page(ChannelHandlerContext ctx, FullHttpRequest request, AdminPage page) {
    boolean changes = request.method().equals(HttpMethod.POST);
    if (!changes && !request.method().equals(HttpMethod.GET)) {
      refuse(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, "GET or POST");
      return;
    }
    Verdict verdict = guard.judge(request.headers(), ctx.channel().remoteAddress());
    if (verdict != Verdict.ALLOWED) {
      refuse(ctx, request, verdict);
      return;
    }
    var parameters = new HashMap<String, String>();
    new QueryStringDecoder(request.uri())
        .parameters()
        .forEach((name, values) -> parameters.put(name, values.getFirst()));
    request.retain();
    Thread.ofVirtual()
        .name("admin-page")
        .start(
            () -> {
              AdminPage.Answer answer = answer(page, changes, parameters);
              ctx.executor()
                  .execute(
                      () -> {
                        HttpResponseStatus status = HttpResponseStatus.valueOf(answer.status());
                        reply(ctx, request, status, answer.body());
                        request.release();
                      });
            });
  }

  private static AdminPage.Answer answer(
      AdminPage page, boolean changes, Map<String, String> parameters) {
    try {
      return page.answer(changes, parameters);
    } catch (RuntimeException failure) {
      log.warn("admin: {} failed", page.path(), failure);
      return AdminPage.Answer.error(FAILED, String.valueOf(failure.getMessage()));
    }
  }

  private void refuse(ChannelHandlerContext ctx, FullHttpRequest request, Verdict verdict) {
    long others = content.refusals().next();
    if (others >= 0) {
      log.warn(
          "admin: {} {} of {} refused: {}{}",
          request.method(),
          new QueryStringDecoder(request.uri()).path(),
          ctx.channel().remoteAddress(),
          verdict,
          Pace.others(others));
    }
    switch (verdict) {
      case TOKEN_MISSING, TOKEN_WRONG ->
          refuse(
              ctx,
              request,
              HttpResponseStatus.UNAUTHORIZED,
              "say Authorization: Bearer and the value of proxy-admin-token");
      case NOT_FROM_HERE ->
          refuse(
              ctx,
              request,
              HttpResponseStatus.FORBIDDEN,
              "without a proxy-admin-token only clients on the proxy's own machine may ask this");
      case FROM_A_BROWSER ->
          refuse(ctx, request, HttpResponseStatus.FORBIDDEN, "not from a browser's page");
      case ALLOWED -> throw new IllegalArgumentException("allowed");
    }
  }

  private static HttpResponseStatus status(boolean good) {
    return good ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
  }

  private static void refuse(
      ChannelHandlerContext ctx, FullHttpRequest request, HttpResponseStatus status, String why) {
    reply(ctx, request, status, AdminPage.Answer.error(status.code(), why).body());
  }

  private static void reply(
      ChannelHandlerContext ctx,
      FullHttpRequest request,
      HttpResponseStatus status,
      JsonElement body) {
    reply(ctx, request, status, JSON_TYPE, body + "\n");
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
    if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
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
