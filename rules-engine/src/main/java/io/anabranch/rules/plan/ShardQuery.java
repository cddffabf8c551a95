package io.anabranch.rules.plan;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
 * @param unitedDates of several tables that are read for the client's one, joined by UNION ALL, the
 *     names of columns of dates, which do not hold what a mode does not allow to be stored; null:
 *     it reads each table by itself
 */
public record ShardQuery(
    String dataSource, byte[] sql, int[] parameters, @Nullable Set<String> unitedDates) {

  private static final int[] NO_PARAMETERS = {};

  /** A statement that reads and writes each table by itself. */
  public ShardQuery(String dataSource, byte[] sql, int[] parameters) {
    this(dataSource, sql, parameters, null);
  }

  /** A statement without parameters. */
  public static ShardQuery text(String dataSource, byte[] sql) {
    return new ShardQuery(dataSource, sql, NO_PARAMETERS);
  }

  /** A statement that takes all of the client's parameters, in their order. */
  public static ShardQuery taking(int parameterCount, String dataSource, byte[] sql) {
    return new ShardQuery(dataSource, sql, IntStream.range(0, parameterCount).toArray());
  }

  /** The same with another text. */
  public ShardQuery withSql(byte[] text) {
    return new ShardQuery(dataSource, text, parameters, unitedDates);
  }

  /** The same as one of several tables joined by UNION ALL, with these columns of dates. */
  public ShardQuery united(@Nullable Set<String> dates) {
    return new ShardQuery(dataSource, sql, parameters, dates);
  }

  /** The statement for logs, {@code EXPLAIN ROUTE} and tests; bytes are read as UTF-8. */
  public String sqlText() {
    return new String(sql, StandardCharsets.UTF_8);
  }
}
