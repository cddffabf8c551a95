package io.anabranch.backend.relay;

/**
 * A statement that is prepared on one connection.
 *
 * @param id the server's
 */
record PreparedStatement(int id, PreparedShape shape) {}
