package io.anabranch.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.planner.StatementPlanner;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A sharded point select from its bytes to the shard query's bytes. The goal for {@link #route} is
 * one microsecond, and no allocation but the query's text, its record and the plan's answer. The
 * goal for {@link #rows} and those beside it, which differ in their size only, is five
 * microseconds: 200 000 rows a second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlanningBenchmark {

  private static final int FEW = 1_000;
  private static final int ROWS = 10_000;
  private static final int MANY = 100_000;

  private final byte[] few = insert(FEW);
  private final byte[] insert = insert(ROWS);
  private final byte[] many = insert(MANY);

  private final byte[] sql = "SELECT c FROM sbtest1 WHERE id=498731".getBytes(UTF_8);
  private final SqlScanner scanner = new SqlScanner();
  private final Scan scan = new Scan();
  private final TextSlotValues values = new TextSlotValues();
  private final PlanScope scope = new PlanScope(database(), UTF_8, false, false);
  private final StatementPlanner planner =
      new StatementPlanner(
          new RuleSet(
              1,
              Map.of("sb", scope.database()),
              new Authority(List.of(), true, Map.of()),
              ProxyProperties.DEFAULTS,
              TransactionSettings.DEFAULTS),
          database -> new OneTableCatalog());

  /** Plans the statement once, so that the others find it. */
  public PlanningBenchmark() {
    planner.plan(scan(), scope);
    for (int i = 0; i < 2; i++) {
      planner.shapes().learn(scan(), sql.length, LexerMode.DEFAULT);
    }
  }

  private static byte[] insert(int rows) {
    return IntStream.range(0, rows)
        .mapToObj(row -> "(" + row + ", 'a value of some length')")
        .collect(Collectors.joining(", ", "INSERT INTO sbtest1 (id, c) VALUES ", ""))
        .getBytes(UTF_8);
  }

  private static LogicalDatabase database() {
    var nodes =
        List.of(
            new DataNode("ds_0", "sbtest1_0"),
            new DataNode("ds_0", "sbtest1_1"),
            new DataNode("ds_1", "sbtest1_0"),
            new DataNode("ds_1", "sbtest1_1"));
    var byId = new ShardingStrategy.Standard("id", new ModuloAlgorithm());
    var table = new ShardedTable("sbtest1", nodes, byId, byId, null, -1);
    return new LogicalDatabase(
        "sb",
        Map.of("ds_0", source("ds_0"), "ds_1", source("ds_1")),
        Map.of(),
        Map.of("sbtest1", table),
        Map.of(),
        new SingleTables(List.of(), null));
  }

  private static DataSourceDefinition source(String name) {
    return new DataSourceDefinition(
        name, "jdbc:mariadb://localhost/sb", "u", "p", 1, 1, 1, 1, 1, false, Map.of());
  }

  @Benchmark
  public final Scan scan() {
    return scanner.scan(sql, 0, sql.length, LexerMode.DEFAULT, scan);
  }

  /** The same text with another literal has been met before. */
  @Benchmark
  public final boolean read() {
    return planner.shapes().read(sql, 0, sql.length, LexerMode.DEFAULT, scan);
  }

  @Benchmark
  public @Nullable StatementPlan find() {
    return planner.cached(scan(), scope);
  }

  @Benchmark
  public @Nullable BoundPlan route() {
    StatementPlan plan = read() ? planner.cached(scan, scope) : null;
    return plan == null ? null : plan.bind(values.over(scan, UTF_8, LexerMode.DEFAULT));
  }

  @Benchmark
  @OperationsPerInvocation(FEW)
  public BoundPlan fewRows() {
    return rows(few);
  }

  /** An INSERT of many rows over four nodes, planned each time; per row. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public BoundPlan rows() {
    return rows(insert);
  }

  @Benchmark
  @OperationsPerInvocation(MANY)
  public BoundPlan manyRows() {
    return rows(many);
  }

  private BoundPlan rows(byte[] insert) {
    scanner.scan(insert, 0, insert.length, LexerMode.DEFAULT, scan);
    values.over(scan, UTF_8, LexerMode.DEFAULT);
    return planner.plan(scan, scope, values, new Wish()).bound();
  }

  @Benchmark
  public StatementPlan miss() {
    return planner.plan(scan(), scope);
  }
}
