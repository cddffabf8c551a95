package io.anabranch.frontend.administration;

import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;

/** Columns of texts, named as ShardingSphere names them. */
final class Columns {

  private static final int WIDTH = 1024;

  private Columns() {}

  static List<ResultColumn> of(String... names) {
    var columns = new ArrayList<ResultColumn>(names.length);
    for (String name : names) {
      columns.add(LocalColumns.text(name, WIDTH));
    }
    return List.copyOf(columns);
  }
}
