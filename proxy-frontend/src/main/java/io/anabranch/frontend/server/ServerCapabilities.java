package io.anabranch.frontend.server;

import io.anabranch.protocol.compression.CompressionAlgorithm;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.ClientProperties.Compression;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the greeting offers. */
final class ServerCapabilities {

  private static final Logger log = LoggerFactory.getLogger(ServerCapabilities.class);

  /**
   * Always offered. TLS and compression come on top where they are switched on. Not offered: query
   * attributes, and IGNORE_SPACE, which would change how databases read a statement.
   */
  private static final long OFFERED =
      Capability.LONG_PASSWORD
          | Capability.FOUND_ROWS
          | Capability.LONG_FLAG
          | Capability.CONNECT_WITH_DB
          | Capability.ODBC
          | Capability.LOCAL_FILES
          | Capability.PROTOCOL_41
          | Capability.INTERACTIVE
          | Capability.IGNORE_SIGPIPE
          | Capability.TRANSACTIONS
          | Capability.SECURE_CONNECTION
          | Capability.MULTI_STATEMENTS
          | Capability.MULTI_RESULTS
          | Capability.PS_MULTI_RESULTS
          | Capability.PLUGIN_AUTH
          | Capability.CONNECT_ATTRS
          | Capability.PLUGIN_AUTH_LENENC_CLIENT_DATA
          | Capability.CAN_HANDLE_EXPIRED_PASSWORDS
          | Capability.SESSION_TRACK
          | Capability.DEPRECATE_EOF
          | Capability.REMEMBER_OPTIONS;

  private ServerCapabilities() {}

  /**
   * What the greeting offers.
   *
   * @param withTls whether there is a certificate
   */
  static long offered(ClientProperties clients, boolean withTls) {
    long offered = withTls ? OFFERED | Capability.SSL : OFFERED;
    for (Compression each : clients.compression()) {
      CompressionAlgorithm algorithm =
          switch (each) {
            case ZLIB -> CompressionAlgorithm.ZLIB;
            case ZSTD -> CompressionAlgorithm.ZSTD;
          };
      if (algorithm.isAvailable()) {
        offered |= algorithm.capability();
      } else {
        log.info("compression with {} does not work on this machine: not offered", algorithm);
      }
    }
    return offered;
  }
}
