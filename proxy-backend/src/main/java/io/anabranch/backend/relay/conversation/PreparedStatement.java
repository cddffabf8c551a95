package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.prepared.MarkerTypes;
import io.anabranch.backend.prepared.TypesOfStatement;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.PreparedShape;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is prepared on one connection.
 *
 * @param id the server's
 * @param under the settings that its shape was told under
 * @param columns of its latest result, or of its shape
 * @param types of its executions; null: the server keeps none
 */
record PreparedStatement(
    int id,
    PreparedShape shape,
    SessionSettings under,
    ToldColumns columns,
    @Nullable TypesOfStatement types) {

  /**
   * One that nobody has executed.
   *
   * @param markers null: the server keeps no types
   */
  PreparedStatement of(@Nullable MarkerTypes markers) {
    return new PreparedStatement(
        id, shape, under, columns, markers == null ? null : new TypesOfStatement(markers));
  }
}
