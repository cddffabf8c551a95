package io.anabranch.frontend.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.model.ClientProperties.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsInForceTest {

  @TempDir private Path directory;

  private void write(Identity identity) throws Exception {
    Files.writeString(
        directory.resolve("cert.pem"),
        Pem.text("CERTIFICATE", identity.chain().getFirst().getEncoded()));
    Files.writeString(
        directory.resolve("key.pem"), Pem.text("PRIVATE KEY", identity.key().getEncoded()));
  }

  private static Tls tls(String certificate, String key) {
    return new Tls(true, false, List.of("TLSv1.3"), List.of(), certificate, key, "", "");
  }

  @Test
  void filesAreRenewedWhenTheySaySomethingElse() throws Exception {
    write(OwnCertificate.make());
    TlsInForce tls = TlsInForce.open(tls("cert.pem", "key.pem"), directory);
    assertThat(tls.renewed()).isNull();
    write(OwnCertificate.make());
    ClientTls other = Objects.requireNonNull(tls.renewed());
    assertThat(tls.current()).isNotSameAs(other);
    tls.replace(other);
    assertThat(tls.renewed()).isNull();
    assertThat(tls.current().expiry()).isAfter(Instant.now());
    Files.delete(directory.resolve("cert.pem"));
    assertThatThrownBy(tls::renewed).isInstanceOf(TlsException.class);
    assertThat(tls.current()).isSameAs(other);
  }

  @Test
  void theProxysOwnStays() throws Exception {
    // cannot be kept there, so that each look would make another
    Files.createFile(directory.resolve("tls"));
    TlsInForce tls = TlsInForce.open(tls("", ""), directory);
    assertThat(tls.renewed()).isNull();
  }
}
