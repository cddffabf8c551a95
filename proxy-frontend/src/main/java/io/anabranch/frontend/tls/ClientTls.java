package io.anabranch.frontend.tls;

import io.anabranch.rules.model.ClientProperties;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** What the proxy needs to speak TLS with its clients. Immutable, thread-safe. */
public final class ClientTls {

  private final SslContext context;
  private final Identity identity;
  private final List<X509Certificate> authorities;

  private ClientTls(SslContext context, Identity identity, List<X509Certificate> authorities) {
    this.context = context;
    this.identity = identity;
    this.authorities = authorities;
  }

  /**
   * Clients may not shake hands again on a connection that has (TLS 1.2): each time costs the proxy
   * more than them, and nobody counts it. Java reads this once, when it first speaks TLS.
   */
  public static void refuseRenegotiation() {
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  /**
   * Reads certificate, key and authorities; where no certificate is named, takes the one that was
   * made for this directory, and makes it if there is none yet.
   *
   * @param settings with TLS enabled
   * @param directory of the configuration, to which file names are relative
   * @throws TlsException naming the property that is wrong
   */
  public static ClientTls open(ClientProperties.Tls settings, Path directory) throws TlsException {
    refuseRenegotiation();
    Identity identity =
        settings.certificateFile().isEmpty()
            ? OwnCertificate.in(directory.resolve("tls"))
            : given(settings, directory);
    SslContextBuilder builder =
        SslContextBuilder.forServer(
                identity.key(), identity.chain().toArray(new X509Certificate[0]))
            .sslProvider(SslProvider.JDK)
            .protocols(settings.protocols());
    if (!settings.ciphers().isEmpty()) {
      builder.ciphers(checked(settings.ciphers()));
    }
    List<X509Certificate> authorities = List.of();
    if (!settings.caFile().isEmpty()) {
      authorities = authorities(directory.resolve(settings.caFile()));
      builder.trustManager(authorities).clientAuth(ClientAuth.OPTIONAL);
    }
    try {
      return new ClientTls(builder.build(), identity, authorities);
    } catch (SSLException | IllegalArgumentException e) {
      throw new TlsException("proxy-frontend-ssl-enabled: TLS cannot be set up: " + reason(e), e);
    }
  }

  /** A handler for one client's channel, to be put in front of all others. */
  public SslHandler newHandler(ByteBufAllocator allocator, Executor forKeyOperations) {
    return context.newHandler(allocator, forKeyOperations);
  }

  /** When the first certificate of the proxy's chain expires. */
  public Instant expiry() {
    return identity.chain().stream()
        .map(each -> each.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }

  /** Whether both have the same key, certificates and authorities. */
  boolean isLike(ClientTls other) {
    return Arrays.equals(identity.key().getEncoded(), other.identity.key().getEncoded())
        && identity.chain().equals(other.identity.chain())
        && authorities.equals(other.authorities);
  }

  private static Identity given(ClientProperties.Tls settings, Path directory) throws TlsException {
    Path certificateFile = directory.resolve(settings.certificateFile());
    Path keyFile = directory.resolve(settings.keyFile());
    List<X509Certificate> chain;
    try {
      chain = Pem.certificates(certificateFile);
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsException(
          "proxy-frontend-ssl-cert-file: " + certificateFile + ": " + reason(e), e);
    }
    try {
      var identity = new Identity(Pem.privateKey(keyFile, settings.keyPassword()), chain);
      identity.check();
      return identity;
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsException("proxy-frontend-ssl-key-file: " + keyFile + ": " + reason(e), e);
    }
  }

  private static List<X509Certificate> authorities(Path file) throws TlsException {
    try {
      return Pem.certificates(file);
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsException("proxy-frontend-ssl-ca-file: " + file + ": " + reason(e), e);
    }
  }

  private static List<String> checked(List<String> ciphers) throws TlsException {
    Set<String> supported;
    try {
      supported = Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (NoSuchAlgorithmException e) {
      throw new TlsException("proxy-frontend-ssl-enabled: this Java has no TLS", e);
    }
    for (String cipher : ciphers) {
      if (!supported.contains(cipher)) {
        throw new TlsException(
            "proxy-frontend-ssl-cipher: this Java has no cipher suite `"
                + cipher
                + "`; use names such as TLS_AES_256_GCM_SHA384, separated by commas",
            null);
      }
    }
    return ciphers;
  }

  private static String reason(Exception e) {
    return switch (e) {
      case java.nio.file.NoSuchFileException _ -> "there is no such file";
      case java.nio.file.AccessDeniedException _ -> "the file may not be read";
      default -> String.valueOf(e.getMessage());
    };
  }
}
