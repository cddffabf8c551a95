package io.anabranch.backend.relay;

import io.anabranch.protocol.message.ErrPacket;
import java.util.Locale;

/** Errors of a server that takes no writes now, though another one of its group may. */
final class ReadOnlyErrors {

  /** ER_OPTION_PREVENTS_STATEMENT: of several options, read_only among them. */
  private static final int OPTION_PREVENTS_STATEMENT = 1290;

  /** ER_READ_ONLY_MODE. */
  private static final int READ_ONLY_MODE = 1836;

  private ReadOnlyErrors() {}

  static boolean include(ErrPacket error) {
    return error.errno() == READ_ONLY_MODE
        || (error.errno() == OPTION_PREVENTS_STATEMENT
            && error.message().toLowerCase(Locale.ROOT).replace('_', '-').contains("read-only"));
  }
}
