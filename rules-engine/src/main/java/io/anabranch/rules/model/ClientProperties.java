package io.anabranch.rules.model;

import java.util.List;
import java.util.Set;

/**
 * {@code props} about clients' connections: what is asked of them and what they may cost.
 *
 * @param compression algorithms that are offered
 * @param proxyProtocolNetworks where headers of the PROXY protocol are taken from; empty: nowhere
 */
public record ClientProperties(
    Tls tls,
    Limits limits,
    Lockout lockout,
    Set<Compression> compression,
    List<Network> proxyProtocolNetworks) {

  /** What holds when nothing is said. */
  public static final ClientProperties DEFAULTS =
      new ClientProperties(
          Tls.OFF,
          Limits.DEFAULTS,
          Lockout.OFF,
          Set.of(Compression.ZLIB, Compression.ZSTD),
          List.of());

  public ClientProperties {
    compression = Set.copyOf(compression);
    proxyProtocolNetworks = List.copyOf(proxyProtocolNetworks);
  }

  /** Compression of the MySQL protocol. */
  public enum Compression {
    ZLIB,
    ZSTD
  }

  /**
   * TLS with clients. Files are relative to the configuration's directory.
   *
   * @param required clients without TLS are refused
   * @param protocols {@code TLSv1.2}, {@code TLSv1.3}
   * @param ciphers names as Java has them; empty: Java's choice
   * @param certificateFile chain in PEM; empty: a certificate is made at the first start
   * @param keyFile private key in PEM; empty with {@code certificateFile}
   * @param keyPassword of the key file; empty for none
   * @param caFile certificates in PEM that vouch for those of clients; empty: none is asked for
   */
  public record Tls(
      boolean enabled,
      boolean required,
      List<String> protocols,
      List<String> ciphers,
      String certificateFile,
      String keyFile,
      String keyPassword,
      String caFile) {

    public static final Tls OFF =
        new Tls(false, false, List.of("TLSv1.2", "TLSv1.3"), List.of(), "", "", "", "");

    public Tls {
      protocols = List.copyOf(protocols);
      ciphers = List.copyOf(ciphers);
    }

    /** Without the password. */
    @Override
    public String toString() {
      return "Tls[enabled=" + enabled + ", certificateFile=" + certificateFile + "]";
    }
  }

  /**
   * @param handshakeTimeoutSeconds until a client must have authenticated
   * @param idleTimeoutSeconds clients that send nothing for longer are closed; 0: never
   * @param interactiveTimeoutSeconds the same for clients that call themselves interactive
   * @param writeTimeoutSeconds clients that take nothing of an answer for longer are closed; 0:
   *     never
   * @param uploadTimeoutSeconds clients that send nothing of a file that they were asked for for
   *     longer are closed; 0: never
   * @param maxAllowedPacket bytes of one command
   * @param maxConnections clients at the same time; 0: no limit
   * @param maxUserConnections of one user at the same time; 0: no limit
   * @param keepAliveSeconds until a peer that is gone without a word is noticed by the kernel, of
   *     databases as well; 0: as the system is configured
   */
  public record Limits(
      long handshakeTimeoutSeconds,
      long idleTimeoutSeconds,
      long interactiveTimeoutSeconds,
      long writeTimeoutSeconds,
      long uploadTimeoutSeconds,
      long maxAllowedPacket,
      int maxConnections,
      int maxUserConnections,
      int keepAliveSeconds) {

    private static final int UPLOAD_SECONDS = 30;
    private static final int KEEP_ALIVE_SECONDS = 60;

    /** With the usual look after files that stop and peers that are gone. */
    public Limits(
        long handshakeTimeoutSeconds,
        long idleTimeoutSeconds,
        long interactiveTimeoutSeconds,
        long writeTimeoutSeconds,
        long maxAllowedPacket,
        int maxConnections,
        int maxUserConnections) {
      this(
          handshakeTimeoutSeconds,
          idleTimeoutSeconds,
          interactiveTimeoutSeconds,
          writeTimeoutSeconds,
          UPLOAD_SECONDS,
          maxAllowedPacket,
          maxConnections,
          maxUserConnections,
          KEEP_ALIVE_SECONDS);
    }

    public static final Limits DEFAULTS = new Limits(10, 28_800, 28_800, 60, 64L << 20, 0, 0);
  }

  /**
   * @param failures wrong passwords in a row, for one account from one address, that lock it out;
   *     0: never
   * @param seconds how long
   */
  public record Lockout(int failures, long seconds) {

    public static final Lockout OFF = new Lockout(0, 60);

    public boolean isOn() {
      return failures > 0;
    }
  }
}
