package io.anabranch.backend.merge.group;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.protocol.message.RowReader;

/** Combines the rows of one group into one cell; started anew for each group. */
interface Accumulator {

  void start();

  void add(RowReader row);

  /** Adds its cell to the row that is being written. */
  void finish(RowEncoder out);
}
