package io.anabranch.backend.relay;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/**
 * What the database says about a prepared statement, names as the database has them.
 *
 * @param parameters one definition per {@code ?}
 * @param columns empty for statements without a result set
 */
public record PreparedShape(
    List<ResultColumn> parameters, List<ResultColumn> columns, int warnings) {
  public PreparedShape {
    parameters = List.copyOf(parameters);
    columns = List.copyOf(columns);
  }
}
