package io.anabranch.frontend.transport;

import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file by which clients of the same machine connect, as MySQL's {@code --socket}: everybody may
 * use it who may enter its folder.
 *
 * @see <a
 *     href="https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html#sysvar_socket">socket</a>
 */
public final class SocketFile {

  /** The kernel's {@code sun_path}, without its last zero. */
  private static final int LONGEST = 107;

  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;

  private final Path path;

  /**
   * @param path made absolute
   */
  public SocketFile(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /**
   * Takes away what a proxy that ended without a word has left there. Blocks.
   *
   * @throws IOException if the file cannot be used, with the reason: it is somebody else's
   */
  public void prepare() throws IOException {
    int length = path.toString().getBytes(Charset.defaultCharset()).length;
    if (length > LONGEST) {
      throw new IOException(
          "the path of a socket has at most " + LONGEST + " bytes, it has " + length);
    }
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Object mode = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!(mode instanceof Integer bits) || (bits & TYPE) != SOCKET) {
      throw new IOException("there is a file that is no socket");
    }
    try (SocketChannel taken = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new IOException("another process answers there: " + taken.getRemoteAddress());
    } catch (ConnectException _) {
      Files.delete(path);
    }
  }

  /** Where the given kind of channel binds. */
  public SocketAddress address(Transport transport) {
    return transport.address(path);
  }

  /** It is bound: others than the proxy's own user may connect. */
  public void open() throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /** It is bound no more. */
  public void remove() throws IOException {
    Files.deleteIfExists(path);
  }

  /**
   * The file that an address names; empty if it is none of a socket file.
   *
   * @param address where a port listens
   */
  public static String pathOf(SocketAddress address) {
    return switch (address) {
      case DomainSocketAddress domain -> domain.path();
      case UnixDomainSocketAddress domain -> domain.getPath().toString();
      default -> "";
    };
  }

  /** The absolute path. */
  @Override
  public String toString() {
    return path.toString();
  }
}
