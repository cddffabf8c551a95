package io.anabranch.frontend.rewrite;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.transport.SocketFile;
import io.anabranch.rules.sql.TableNames;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;

/**
 * Where clients find the proxy, in the place of where it finds its databases: some connect anew to
 * what {@code @@socket}, {@code @@hostname} and {@code @@port} say, past the proxy.
 */
public final class OwnAddress {

  private static final String HOST = find();

  private OwnAddress() {}

  /** The machine's name. */
  static String host() {
    return HOST;
  }

  /** The port that the client is connected to; 0 if it has none. */
  static String port(Session session) {
    return session.channel().localAddress() instanceof InetSocketAddress address
        ? Integer.toString(address.getPort())
        : "0";
  }

  /** The file by which the client came; empty if it came by a port. */
  static String socket(Session session) {
    Channel listening = session.channel().parent();
    return listening == null ? "" : SocketFile.pathOf(listening.localAddress());
  }

  /** SQL text of the variables that tell it, by name. */
  public static Map<String, String> variables(Session session) {
    String host = TableNames.literal(HOST);
    String port = TableNames.literal(port(session));
    String socket = TableNames.literal(socket(session));
    return Map.of(
        "hostname", host, "report_host", host, "port", port, "report_port", port, "socket", socket);
  }

  private static String find() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
