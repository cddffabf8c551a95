package io.anabranch.backend.execute.source;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/**
 * What one statement of a change has returned.
 *
 * @param columns as the database says; empty if it answered OK
 * @param payloads rows in the client's protocol
 * @param numbers of the rows in the client's statement, from 1; empty where they are not known
 */
record ReturnedRows(
    String dataSource, List<ResultColumn> columns, List<byte[]> payloads, int[] numbers) {

  /** The same for rows that the statement lists, as long as each of them has returned one. */
  ReturnedRows numbered(int[] rows) {
    return rows.length == payloads.size()
        ? new ReturnedRows(dataSource, columns, payloads, rows)
        : this;
  }
}
