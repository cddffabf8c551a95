package io.anabranch.app;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the program was started with.
 *
 * @param port 0: what the configuration says
 * @param socket file for clients of this machine; null: what the configuration says
 * @param addressFile gets "ADDRESS PORT" once the proxy listens; null: none
 */
record CommandLine(
    String address,
    int port,
    @Nullable Path socket,
    Path configuration,
    @Nullable Path addressFile) {

  static final String USAGE =
      "usage: [-a ADDRESS] [-p PORT] [-s SOCKET] -c CONF_DIR [--address-file FILE]"
          + "  (address: 127.0.0.1 unless given)";

  /**
   * @throws IllegalArgumentException whose message says which argument is wrong
   */
  static CommandLine parse(String... arguments) {
    String address = "127.0.0.1";
    int port = 0;
    Path socket = null;
    Path configuration = null;
    Path addressFile = null;
    for (int i = 0; i < arguments.length; i += 2) {
      String option = arguments[i];
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      String value = arguments[i + 1];
      switch (option) {
        case "-a" -> address = value;
        case "-p" -> port = port(value);
        case "-s" -> socket = Path.of(value);
        case "-c" -> configuration = Path.of(value);
        case "--address-file" -> addressFile = Path.of(value);
        default -> throw new IllegalArgumentException("unknown argument " + option);
      }
    }
    if (configuration == null) {
      throw new IllegalArgumentException("-c CONF_DIR is missing");
    }
    return new CommandLine(address, port, socket, configuration, addressFile);
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 1 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("-p " + text + ": a port is a number", e);
    }
    throw new IllegalArgumentException("-p " + text + ": a port is between 1 and 65535");
  }
}
