package io.anabranch.frontend.admin;

import io.anabranch.testkit.CountingAllocator;
import io.anabranch.testkit.FuzzInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes at the port of operators: each request is answered, with what is there or with 4xx, the
 * same however the bytes are cut; all buffers are given back.
 */
public final class AdminRequestTarget {

  private static final int FEW = 256 * 1024;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  private static final HealthReport HEALTH =
      new HealthReport(HealthReport.State.UP, Map.of("shop.ds_0", true));

  private AdminRequestTarget() {}

  /**
   * Called by the fuzzer.
   *
   * @param data the first byte chooses how the others are cut
   */
  public static void fuzzerTestOneInput(byte[] data) {
    var input = new FuzzInput(data);
    int how = 2 + input.choice(250);
    byte[] bytes = input.rest();
    String whole = answers(bytes, 0);
    for (int each : new int[] {1, how}) {
      String cut = answers(bytes, each);
      if (!cut.equals(whole)) {
        throw new IllegalStateException("cut otherwise: " + cut + " instead of " + whole);
      }
    }
  }

  private static String answers(byte[] bytes, int how) {
    var counting = new CountingAllocator();
    var channel = new EmbeddedChannel();
    channel.config().setAllocator(counting);
    AdminServer.install(
        channel,
        new AdminLimits(1),
        new AdminHandler(new AdminContent(() -> "up 1\n", () -> HEALTH, List.of(), () -> "")));
    for (byte[] piece : FuzzInput.pieces(bytes, how)) {
      if (channel.isOpen()) {
        channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(piece));
        channel.pipeline().fireChannelReadComplete();
        channel.runPendingTasks();
      }
    }
    var answers = new StringBuilder();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      answers.append(out.toString(StandardCharsets.UTF_8));
      out.release();
    }
    channel.finishAndReleaseAll();
    if (counting.held() != 0) {
      throw new IllegalStateException(counting.held() + " bytes are not given back");
    }
    if (counting.asked() > FEW + 256L * bytes.length) {
      throw new IllegalStateException(counting.asked() + " bytes asked for " + bytes.length);
    }
    Matcher status = STATUS.matcher(answers);
    while (status.find()) {
      if (status.group(1).startsWith("5")) {
        throw new IllegalStateException("answered with " + answers);
      }
    }
    return answers.toString();
  }
}
