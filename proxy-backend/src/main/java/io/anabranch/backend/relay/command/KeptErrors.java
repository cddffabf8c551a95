package io.anabranch.backend.relay.command;

import java.util.Locale;

/** Errors that another member of a group need not have, so that the client is not to see them. */
public enum KeptErrors {
  /** None: the client sees all. */
  NONE,

  /** Of a server that takes no writes now. */
  READ_ONLY,

  /** Of a server that is being shut down, or has left its cluster. */
  SHUTDOWN;

  /** ER_OPTION_PREVENTS_STATEMENT: of several options, read_only among them. */
  private static final int OPTION_PREVENTS_STATEMENT = 1290;

  /** ER_READ_ONLY_MODE. */
  private static final int READ_ONLY_MODE = 1836;

  /** ER_SERVER_SHUTDOWN. */
  private static final int SERVER_SHUTDOWN = 1053;

  /** ER_UNKNOWN_COM_ERROR, with which a Galera node that is not ready refuses every statement. */
  private static final int UNKNOWN_COMMAND = 1047;

  /**
   * @param message the database's
   */
  public boolean include(int errno, String message) {
    return switch (this) {
      case NONE -> false;
      case READ_ONLY ->
          errno == READ_ONLY_MODE
              || (errno == OPTION_PREVENTS_STATEMENT
                  && message.toLowerCase(Locale.ROOT).replace('_', '-').contains("read-only"))
              || isOutOfCluster(errno, message);
      case SHUTDOWN -> errno == SERVER_SHUTDOWN || isOutOfCluster(errno, message);
    };
  }

  private static boolean isOutOfCluster(int errno, String message) {
    return errno == UNKNOWN_COMMAND && message.contains("WSREP");
  }
}
