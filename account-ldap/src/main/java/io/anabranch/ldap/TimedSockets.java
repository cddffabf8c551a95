package io.anabranch.ldap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Sockets that wait for a byte only so long, from the beginning on: the time limits of the library
 * begin behind the handshake of TLS, in which a directory that says nothing would be waited for.
 */
final class TimedSockets extends SocketFactory {

  private final SocketFactory sockets;
  private final int milliseconds;

  TimedSockets(SocketFactory sockets, int milliseconds) {
    this.sockets = sockets;
    this.milliseconds = milliseconds;
  }

  private Socket timed(Socket socket) throws IOException {
    socket.setSoTimeout(milliseconds);
    return socket;
  }

  @Override
  public Socket createSocket() throws IOException {
    return timed(sockets.createSocket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return timed(sockets.createSocket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return timed(sockets.createSocket(host, port, local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return timed(sockets.createSocket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return timed(sockets.createSocket(host, port, local, localPort));
  }
}
