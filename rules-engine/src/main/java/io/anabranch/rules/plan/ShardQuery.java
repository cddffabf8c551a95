package io.anabranch.rules.plan;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * One SQL statement for one data source.
 *
 * <p>Instances may be shared between executions when a plan's text does not depend on literals; a
 * backend may then use the identity of the record as the key of its prepared statement.
 *
 * @param dataSource name of the data source or of the read/write group it belongs to
 * @param sql the statement in the client's character set; never modified after construction
 * @param parameters for each {@code ?} of {@code sql}, in order, the index (from 0) of the client's
 *     parameter that it takes; empty for text statements
 */
public record ShardQuery(String dataSource, byte[] sql, int[] parameters) {

  private static final int[] NO_PARAMETERS = {};

  /** A statement without parameters. */
  public static ShardQuery text(String dataSource, byte[] sql) {
    return new ShardQuery(dataSource, sql, NO_PARAMETERS);
  }

  /** A statement that takes all of the client's parameters, in their order. */
  public static ShardQuery taking(int parameterCount, String dataSource, byte[] sql) {
    return new ShardQuery(dataSource, sql, IntStream.range(0, parameterCount).toArray());
  }

  /** The statement for logs, {@code EXPLAIN ROUTE} and tests; bytes are read as UTF-8. */
  public String sqlText() {
    return new String(sql, StandardCharsets.UTF_8);
  }
}
