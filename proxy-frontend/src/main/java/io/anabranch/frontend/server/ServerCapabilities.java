package io.anabranch.frontend.server;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
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
   * Always offered. TLS and compression come on top where they are switched on. Not offered: to
   * leave out column definitions, which pooled connections could not answer for.
   */
  private static final long OFFERED =
      Capability.LONG_PASSWORD
          | Capability.FOUND_ROWS
          | Capability.LONG_FLAG
          | Capability.CONNECT_WITH_DB
          | Capability.ODBC
          | Capability.LOCAL_FILES
          | Capability.IGNORE_SPACE
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

  /** What MariaDB's servers of all versions in use offer besides. */
  private static final long OF_MARIADB =
      Capability.MARIADB_EXTENDED_METADATA | Capability.MARIADB_CACHE_METADATA;

  private ServerCapabilities() {}

  /**
   * What the greeting of one client offers.
   *
   * <p>Query attributes are MySQL's. A proxy that shows itself as MariaDB offers MariaDB's extended
   * bits in the place of LONG_PASSWORD, as MariaDB does. COM_STMT_BULK_EXECUTE is one statement
   * with many rows of parameters and one insert id, from which drivers count up the keys of the
   * other rows: it is offered where all rows go to one server, so not if any database has tables
   * over several, or shadows.
   *
   * @param offered to all clients
   */
  static long of(long offered, Deployment deployment) {
    if (!deployment.isMariaDb()) {
      return offered | Capability.QUERY_ATTRIBUTES;
    }
    long known = (offered & ~Capability.LONG_PASSWORD) | OF_MARIADB;
    return isRelayed(deployment) ? known | Capability.MARIADB_STMT_BULK_OPERATIONS : known;
  }

  private static boolean isRelayed(Deployment deployment) {
    return deployment.rules().properties().relayEnabled()
        && deployment.backends().values().stream()
            .map(Backend::database)
            .allMatch(database -> database.isOfOneEndpoint() || database.isEmpty());
  }

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
