package io.anabranch.frontend.server;

import io.anabranch.frontend.notice.Pace;
import java.net.InetAddress;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log lines about clients that broke the protocol, in their pace. Thread-safe. */
final class ViolationLog {

  private static final Logger log = LoggerFactory.getLogger(ViolationLog.class);

  private final Pace pace;

  ViolationLog(LongSupplier nanoTime) {
    this.pace = new Pace(nanoTime);
  }

  void log(int client, InetAddress address, String violation) {
    long others = pace.next();
    if (others >= 0) {
      log.warn(
          "client {} at {} broke the protocol: {}{}",
          client,
          address.getHostAddress(),
          violation,
          Pace.others(others));
    }
  }
}
