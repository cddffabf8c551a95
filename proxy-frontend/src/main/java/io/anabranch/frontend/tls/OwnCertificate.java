package io.anabranch.frontend.tls;

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
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
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

  private static final String LOCALHOST = "localhost";
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
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate());
      X509Certificate certificate =
          new JcaX509CertificateConverter().getCertificate(content(pair).build(signer));
      return new Identity(pair.getPrivate(), List.of(certificate));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new TlsException("proxy-frontend-ssl-enabled: no certificate can be made", e);
    }
  }

  private static X509v3CertificateBuilder content(KeyPair pair) throws IOException {
    Instant now = Instant.now();
    var name = new X500Name("CN=Anabranch auto-generated certificate");
    var content =
        new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1),
            Date.from(now.minus(EARLIER)),
            Date.from(now.plus(VALID)),
            name,
            pair.getPublic());
    // an authority, so that clients can be given the certificate itself to verify it with
    content.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    content.addExtension(Extension.subjectAlternativeName, false, alternativeNames());
    return content;
  }

  private static GeneralNames alternativeNames() {
    List<GeneralName> names = new ArrayList<>();
    names.add(new GeneralName(GeneralName.dNSName, LOCALHOST));
    names.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    names.add(new GeneralName(GeneralName.iPAddress, "::1"));
    try {
      String host = InetAddress.getLocalHost().getHostName();
      if (host.matches("[A-Za-z0-9.-]{1,253}") && !host.equals(LOCALHOST)) {
        names.add(new GeneralName(GeneralName.dNSName, host));
      }
    } catch (UnknownHostException e) {
      log.debug("this machine's name is not known", e);
    }
    return new GeneralNames(names.toArray(new GeneralName[0]));
  }
}
