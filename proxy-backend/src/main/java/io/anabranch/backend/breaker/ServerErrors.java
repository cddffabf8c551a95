package io.anabranch.backend.breaker;

import java.util.Set;

/**
 * Errors that say that the server is not well, whatever it is asked. A closed list: all others may
 * be a client's own (syntax, keys, locks, deadlocks, limits of time, KILL), or are about one table.
 */
final class ServerErrors {

  private static final Set<Integer> OF_SERVERS =
      Set.of(
          3, // EE_WRITE: a file cannot be written
          1021, // ER_DISK_FULL
          1026, // ER_ERROR_ON_WRITE
          1040, // ER_CON_COUNT_ERROR
          1041, // ER_OUT_OF_RESOURCES
          1053, // ER_SERVER_SHUTDOWN
          1135, // ER_CANT_CREATE_THREAD
          1878 // ER_TEMP_FILE_WRITE_FAILURE
          );

  private ServerErrors() {}

  static boolean include(int errno) {
    return errno != 0 && OF_SERVERS.contains(errno);
  }
}
