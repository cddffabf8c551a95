package io.anabranch.backend.relay.column;

import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.StandardCharsets;

/** Column definitions of the protocol as the plan language knows them. */
public final class Columns {

  private Columns() {}

  public static ResultColumn read(ColumnDefinition definition) {
    return new ResultColumn(
        definition.schema(),
        definition.table(),
        definition.orgTable(),
        definition.name(),
        definition.orgName(),
        definition.collation(),
        definition.length(),
        definition.type(),
        definition.flags(),
        definition.decimals(),
        new String(definition.extended(), StandardCharsets.ISO_8859_1));
  }
}
