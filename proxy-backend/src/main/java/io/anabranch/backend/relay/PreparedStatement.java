package io.anabranch.backend.relay;

import io.anabranch.backend.pool.SessionSettings;

/**
 * A statement that is prepared on one connection.
 *
 * @param id the server's
 * @param under the settings that its shape was told under
 * @param columns of its latest result, or of its shape
 */
record PreparedStatement(int id, PreparedShape shape, SessionSettings under, ToldColumns columns) {}
