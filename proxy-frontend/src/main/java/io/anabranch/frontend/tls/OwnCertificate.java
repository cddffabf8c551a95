package io.anabranch.frontend.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that the proxy makes for itself where none is given, as MySQL does: signed by
 * itself, for this machine's name and loopback addresses, kept in {@code server-cert.pem} and
 * {@code server-key.pem} so that clients may trust it over restarts.
 */
final class OwnCertificate {

  private static final Logger log = LoggerFactory.getLogger(OwnCertificate.class);

  private static final Duration VALID = Duration.ofDays(3650);

  /** Clocks of clients may be late. */
  private static final Duration EARLIER = Duration.ofDays(1);

  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("2a8648ce3d040302"));
  private static final byte[] TRUE = {0x01, 0x01, (byte) 0xFF};
  private static final int DNS_NAME = 0x82;
  private static final int IP_ADDRESS = 0x87;
  private static final int SERIAL_BITS = 120;

  private OwnCertificate() {}

  /**
   * The one that is kept there, else a new one; a directory that cannot be written is a warning.
   */
  static Identity in(Path directory) throws TlsException {
    Path certificateFile = directory.resolve("server-cert.pem");
    Path keyFile = directory.resolve("server-key.pem");
    try {
      if (Files.exists(certificateFile) && Files.exists(keyFile)) {
        var kept = new Identity(Pem.privateKey(keyFile, ""), Pem.certificates(certificateFile));
        kept.check();
        if (isInForce(kept.chain().getFirst())) {
          return kept;
        }
        log.info("the certificate {} is not in force: a new one is made", certificateFile);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsException(
          "proxy-frontend-ssl-enabled: the certificate that was made in "
              + directory
              + " cannot be used: "
              + e.getMessage()
              + "; remove it, or name your own in proxy-frontend-ssl-cert-file",
          e);
    }
    Identity made = make();
    keep(made, directory, certificateFile, keyFile);
    return made;
  }

  private static boolean isInForce(X509Certificate certificate) {
    try {
      certificate.checkValidity();
      return true;
    } catch (CertificateExpiredException | CertificateNotYetValidException e) {
      return false;
    }
  }

  private static void keep(Identity made, Path directory, Path certificateFile, Path keyFile)
      throws TlsException {
    try {
      Files.createDirectories(directory);
      Files.deleteIfExists(keyFile);
      FileAttribute<?>[] ownerOnly =
          keyFile.getFileSystem().supportedFileAttributeViews().contains("posix")
              ? new FileAttribute<?>[] {
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
              }
              : new FileAttribute<?>[0];
      Files.createFile(keyFile, ownerOnly);
      Files.writeString(
          keyFile,
          Pem.text("PRIVATE KEY", made.key().getEncoded()),
          StandardCharsets.US_ASCII,
          StandardOpenOption.WRITE);
      Files.writeString(
          certificateFile, Pem.text("CERTIFICATE", made.chain().getFirst().getEncoded()));
      log.info("made a certificate for TLS with clients: {}", certificateFile);
    } catch (IOException e) {
      log.warn(
          "the certificate for TLS with clients cannot be kept, each start makes another: {}",
          e.toString());
    } catch (GeneralSecurityException e) {
      throw new TlsException("proxy-frontend-ssl-enabled: no certificate can be made", e);
    }
  }

  static Identity make() throws TlsException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      byte[] toBeSigned = toBeSigned(pair, Instant.now());
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(toBeSigned);
      byte[] der = Der.sequence(toBeSigned, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der));
      return new Identity(pair.getPrivate(), List.of(certificate));
    } catch (GeneralSecurityException e) {
      throw new TlsException("proxy-frontend-ssl-enabled: no certificate can be made", e);
    }
  }

  /** <a href="https://www.rfc-editor.org/rfc/rfc5280#section-4.1">TBSCertificate</a>, version 3. */
  private static byte[] toBeSigned(KeyPair pair, Instant now) {
    byte[] name =
        Der.sequence(
            Der.set(
                Der.sequence(Der.oid("550403"), Der.utf8("Anabranch auto-generated certificate"))));
    byte[] validity = Der.sequence(Der.time(now.minus(EARLIER)), Der.time(now.plus(VALID)));
    return Der.sequence(
        Der.tagged(0xA0, Der.integer(BigInteger.TWO)),
        Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1)),
        ECDSA_WITH_SHA256,
        name,
        validity,
        name,
        pair.getPublic().getEncoded(),
        Der.tagged(0xA3, Der.sequence(basicConstraints(), alternativeNames())));
  }

  /** An authority, so that clients can be given the certificate itself to verify it with. */
  private static byte[] basicConstraints() {
    return Der.sequence(Der.oid("551d13"), TRUE, Der.octets(Der.sequence(TRUE)));
  }

  private static byte[] alternativeNames() {
    List<byte[]> names = new ArrayList<>();
    names.add(dns("localhost"));
    names.add(Der.tagged(IP_ADDRESS, new byte[] {127, 0, 0, 1}));
    names.add(Der.tagged(IP_ADDRESS, InetAddress.ofLiteral("::1").getAddress()));
    try {
      String host = InetAddress.getLocalHost().getHostName();
      if (host.matches("[A-Za-z0-9.-]{1,253}") && !host.equals("localhost")) {
        names.add(dns(host));
      }
    } catch (UnknownHostException e) {
      log.debug("this machine's name is not known", e);
    }
    return Der.sequence(Der.oid("551d11"), Der.octets(Der.sequence(names.toArray(new byte[0][]))));
  }

  private static byte[] dns(String name) {
    return Der.tagged(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII));
  }
}
