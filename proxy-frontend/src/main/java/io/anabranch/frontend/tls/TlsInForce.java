package io.anabranch.frontend.tls;

import io.anabranch.rules.model.ClientProperties;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that clients are shown now. The files can be read again: connections that there
 * are go on with what they have begun, new ones get the other certificate. Thread-safe.
 */
public final class TlsInForce {

  private final ClientProperties.Tls settings;
  private final Path directory;
  private volatile ClientTls current;

  private TlsInForce(ClientProperties.Tls settings, Path directory, ClientTls first) {
    this.settings = settings;
    this.directory = directory;
    this.current = first;
  }

  /**
   * @param settings with TLS enabled; which files these are stays as it is
   * @param directory of the configuration, to which file names are relative
   * @throws TlsException naming the property that is wrong
   */
  public static TlsInForce open(ClientProperties.Tls settings, Path directory) throws TlsException {
    return new TlsInForce(settings, directory, ClientTls.open(settings, directory));
  }

  public ClientTls current() {
    return current;
  }

  /**
   * What the files say, if that is something else than what is in force; a certificate that the
   * proxy has made itself stays until its end. Reads files.
   *
   * @return null: they say the same
   * @throws TlsException naming the property that is wrong
   */
  public @Nullable ClientTls renewed() throws TlsException {
    if (settings.certificateFile().isEmpty()) {
      return null;
    }
    ClientTls read = ClientTls.open(settings, directory);
    return read.isLike(current) ? null : read;
  }

  /** Clients that connect from now on get it. */
  public void replace(ClientTls renewed) {
    current = renewed;
  }
}
