package io.anabranch.backend.pool.wire;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.HostAddress;
import org.mariadb.jdbc.export.ExceptionFactory;
import org.mariadb.jdbc.plugin.tls.main.DefaultTlsSocketPlugin;

/**
 * What the driver option {@code tlsSocketType} names: the driver decides whom to trust and how to
 * prove itself, by all its options, and TLS is done on the channel, so that the relay reads and
 * writes plain packets above it. The driver makes an instance for every connection.
 */
public final class DriverTls extends DefaultTlsSocketPlugin {

  /** Value of {@code tlsSocketType}. */
  public static final String TYPE = "anabranch";

  private TrustManager @Nullable [] trust;
  private KeyManager @Nullable [] keys;

  /** For the driver's {@link java.util.ServiceLoader}. */
  public DriverTls() {}

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public TrustManager[] getTrustManager(
      Configuration configuration, ExceptionFactory failures, HostAddress address)
      throws SQLException {
    TrustManager[] managers = super.getTrustManager(configuration, failures, address);
    trust = managers;
    return managers;
  }

  @Override
  public KeyManager @Nullable [] getKeyManager(
      Configuration configuration, ExceptionFactory failures) throws SQLException {
    KeyManager[] managers = super.getKeyManager(configuration, failures);
    keys = managers;
    return managers;
  }

  /** The factory knows the same managers, but makes no engines. */
  @Override
  public SSLSocket createSocket(Socket socket, SSLSocketFactory factory) throws IOException {
    if (!(socket instanceof DriverSocket ours)) {
      throw new IOException("not over " + socket);
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return new DriverTlsSocket(ours, context.createSSLEngine());
    } catch (GeneralSecurityException broken) {
      throw new IOException("TLS does not work here", broken);
    }
  }
}
