package io.anabranch.frontend.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.model.ClientProperties.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.Future;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientTlsTest {

  /** What PKCS#8 puts in front of an RSA key of 2048 bits in its older form. */
  private static final int ENVELOPE = 26;

  @TempDir private Path directory;

  private static Tls tls(String certificate, String key, String ca, String... ciphers) {
    List<String> protocols = List.of("TLSv1.2", "TLSv1.3");
    return new Tls(true, false, protocols, List.of(ciphers), certificate, key, "", ca);
  }

  @Test
  void theOwnCertificateIsMadeOnce() throws Exception {
    ClientTls.open(tls("", "", ""), directory);
    Path kept = directory.resolve("tls").resolve("server-cert.pem");
    byte[] first = Files.readAllBytes(kept);
    ClientTls.open(tls("", "", ""), directory);
    assertThat(Files.readAllBytes(kept)).isEqualTo(first);
    X509Certificate certificate = Pem.certificates(kept).getFirst();
    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity();
    assertThat(certificate.getBasicConstraints()).isNotNegative();
    assertThat(certificate.getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .contains("localhost", "127.0.0.1");
    Path key = kept.resolveSibling("server-key.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsNoReasonToStop() throws Exception {
    Path file = Files.createFile(directory.resolve("tls"));
    assertThatCode(() -> ClientTls.open(tls("", "", ""), directory)).doesNotThrowAnyException();
    assertThat(file).isEmptyFile();
  }

  @Test
  void handlersHaveTheChosenVersionsAndCiphers() throws Exception {
    String cipher = "TLS_AES_256_GCM_SHA384";
    Tls settings = new Tls(true, false, List.of("TLSv1.3"), List.of(cipher), "", "", "", "");
    SSLEngine engine =
        ClientTls.open(settings, directory)
            .newHandler(UnpooledByteBufAllocator.DEFAULT, Runnable::run)
            .engine();
    assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.3");
    assertThat(engine.getEnabledCipherSuites()).containsExactly(cipher);
    assertThat(engine.getWantClientAuth()).isFalse();
  }

  @Test
  void clientsShakeHandsOnce() throws Exception {
    SslHandler client =
        SslContextBuilder.forClient()
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .endpointIdentificationAlgorithm("")
            .protocols("TLSv1.2")
            .build()
            .newHandler(UnpooledByteBufAllocator.DEFAULT);
    SslHandler server =
        ClientTls.open(tls("", "", ""), directory)
            .newHandler(UnpooledByteBufAllocator.DEFAULT, Runnable::run);
    var far = new EmbeddedChannel(client);
    var near = new EmbeddedChannel(server);
    carry(far, near);
    assertThat(client.handshakeFuture().isSuccess()).isTrue();
    assertThat(server.handshakeFuture().isSuccess()).isTrue();

    Future<Channel> again = client.renegotiate();
    assertThatThrownBy(() -> carry(far, near)).hasMessageContaining("renegotiation");
    assertThat(again.isSuccess()).isFalse();
    assertThat(near.isOpen()).isFalse();
  }

  /** What each says goes to the other, until both are silent. */
  private static void carry(EmbeddedChannel one, EmbeddedChannel other) {
    boolean some;
    do {
      some = false;
      for (boolean there : new boolean[] {true, false}) {
        EmbeddedChannel from = there ? one : other;
        EmbeddedChannel to = there ? other : one;
        from.runPendingTasks();
        ByteBuf said = from.readOutbound();
        if (said != null) {
          some = true;
          to.writeInbound(said);
        }
      }
    } while (some);
  }

  @Test
  void clientsAreAskedForCertificatesWhereThereIsAnAuthority() throws Exception {
    write("ca.pem", Pem.text("CERTIFICATE", OwnCertificate.make().chain().getFirst().getEncoded()));
    SSLEngine engine =
        ClientTls.open(tls("", "", "ca.pem"), directory)
            .newHandler(UnpooledByteBufAllocator.DEFAULT, Runnable::run)
            .engine();
    assertThat(engine.getWantClientAuth()).isTrue();
  }

  @Test
  void keysInBothForms() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair pair = generator.generateKeyPair();
    byte[] encoded = pair.getPrivate().getEncoded();
    byte[] older = Arrays.copyOfRange(encoded, ENVELOPE, encoded.length);
    Path modern = write("modern.pem", Pem.text("PRIVATE KEY", encoded));
    Path old = write("old.pem", Pem.text("RSA PRIVATE KEY", older));
    assertThat(Pem.privateKey(modern, "")).isEqualTo(pair.getPrivate());
    assertThat(Pem.privateKey(old, "")).isEqualTo(pair.getPrivate());
  }

  /** As {@code openssl ecparam -genkey} and older tools write them. */
  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void olderFormsOfKeys(String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(algorithm.equals("EC") ? 256 : 2048);
    KeyPair pair = generator.generateKeyPair();
    var info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
    if (pair.getPrivate() instanceof ECPrivateKey key) {
      // OpenSSL says which curve inside of the key
      var curve = SECObjectIdentifiers.secp256r1;
      info =
          new PrivateKeyInfo(
              info.getPrivateKeyAlgorithm(),
              new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), curve));
    }
    var plain = new StringWriter();
    try (var writer = new JcaPEMWriter(plain)) {
      writer.writeObject(info);
    }
    var locked = new StringWriter();
    try (var writer = new JcaPEMWriter(locked)) {
      writer.writeObject(
          info,
          new JcePEMEncryptorBuilder("AES-256-CBC")
              .setProvider(new BouncyCastleProvider())
              .build("secret".toCharArray()));
    }
    assertThat(plain.toString()).contains("BEGIN " + algorithm + " PRIVATE KEY");
    assertThat(locked.toString()).contains("Proc-Type: 4,ENCRYPTED");
    assertIs(pair.getPrivate(), Pem.privateKey(write("plain.pem", plain.toString()), ""));
    Path encrypted = write("locked.pem", locked.toString());
    assertIs(pair.getPrivate(), Pem.privateKey(encrypted, "secret"));
    assertThatThrownBy(() -> Pem.privateKey(encrypted, ""))
        .hasMessageContaining("give proxy-frontend-ssl-key-password");
    assertThatThrownBy(() -> Pem.privateKey(encrypted, "wrong"))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageNotContaining("wrong");
  }

  private static void assertIs(PrivateKey expected, PrivateKey read) {
    if (expected instanceof ECPrivateKey key && read instanceof ECPrivateKey other) {
      assertThat(other.getS()).isEqualTo(key.getS());
      assertThat(other.getParams()).isEqualTo(key.getParams());
    } else {
      assertThat(read).isEqualTo(expected);
    }
  }

  @Test
  void whatIsWrongIsSaid() throws Exception {
    Identity one = OwnCertificate.make();
    Identity other = OwnCertificate.make();
    write("cert.pem", Pem.text("CERTIFICATE", one.chain().getFirst().getEncoded()));
    write("key.pem", Pem.text("PRIVATE KEY", one.key().getEncoded()));
    write("other.pem", Pem.text("PRIVATE KEY", other.key().getEncoded()));
    write("ec.pem", Pem.text("EC PRIVATE KEY", new byte[] {1, 2, 3}));
    write("locked.pem", Pem.text("ENCRYPTED PRIVATE KEY", other.key().getEncoded()));
    assertThatCode(() -> ClientTls.open(tls("cert.pem", "key.pem", ""), directory))
        .doesNotThrowAnyException();
    assertProblem(tls("cert.pem", "other.pem", ""), "key-file", "not the key of the certificate");
    assertProblem(tls("cert.pem", "gone.pem", ""), "key-file", "there is no such file");
    assertProblem(tls("gone.pem", "key.pem", ""), "cert-file", "there is no such file");
    assertProblem(tls("key.pem", "key.pem", ""), "cert-file", "");
    assertProblem(tls("cert.pem", "cert.pem", ""), "key-file", "there is no private key in it");
    assertProblem(tls("cert.pem", "ec.pem", ""), "key-file", "openssl pkcs8 -topk8 -nocrypt");
    assertProblem(
        tls("cert.pem", "locked.pem", ""), "key-file", "give proxy-frontend-ssl-key-password");
    assertProblem(tls("", "", "gone.pem"), "ca-file", "there is no such file");
    assertProblem(tls("", "", "", "RC4"), "cipher", "no cipher suite `RC4`");
  }

  private void assertProblem(Tls settings, String property, String message) {
    assertThatThrownBy(() -> ClientTls.open(settings, directory))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("proxy-frontend-ssl-" + property)
        .hasMessageContaining(message);
  }

  private Path write(String name, String text) throws Exception {
    return Files.writeString(directory.resolve(name), text);
  }
}
