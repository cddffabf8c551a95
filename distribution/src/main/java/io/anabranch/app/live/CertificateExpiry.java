package io.anabranch.app.live;

import io.anabranch.frontend.tls.TlsInForce;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in time that the proxy's certificate expires. Thread-safe. */
public final class CertificateExpiry {

  private static final Logger log = LoggerFactory.getLogger(CertificateExpiry.class);
  private static final Duration WARNING = Duration.ofDays(30);

  private final TlsInForce tls;
  private final Supplier<Instant> now;

  public CertificateExpiry(TlsInForce tls, Supplier<Instant> now) {
    this.tls = tls;
    this.now = now;
  }

  /** Until it expires; negative when it has. */
  public double seconds() {
    return left().toSeconds();
  }

  /** Warns, if it is time to; once a day is often enough. */
  public void look() {
    Duration left = left();
    if (left.isNegative()) {
      log.warn(
          "the certificate that clients are shown has expired on {}: renew its files, and RELOAD"
              + " CONFIGURATION",
          tls.current().expiry());
    } else if (left.compareTo(WARNING) < 0) {
      log.warn(
          "the certificate that clients are shown expires in {} day(s), on {}: renew its files, and"
              + " RELOAD CONFIGURATION",
          left.toDays(),
          tls.current().expiry());
    }
  }

  private Duration left() {
    return Duration.between(now.get(), tls.current().expiry());
  }
}
