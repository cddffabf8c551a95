package io.anabranch.frontend.server;

import io.anabranch.protocol.type.Capability;

/** What the greeting offers. */
final class ServerCapabilities {

  /**
   * Not offered: compression, TLS, session tracking, query attributes, and IGNORE_SPACE, which
   * would change how databases read a statement.
   */
  static final long OFFERED =
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
          | Capability.DEPRECATE_EOF;

  private ServerCapabilities() {}
}
