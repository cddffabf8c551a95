package io.anabranch.backend.relay;

import io.anabranch.backend.pool.SessionSettings;

/**
 * A statement that is prepared on one connection.
 *
 * @param id the server's
 * @param under the settings that its columns were told under
 */
record PreparedStatement(int id, PreparedShape shape, SessionSettings under) {}
