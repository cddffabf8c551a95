package io.anabranch.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.planner.StatementPlanner;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A point select of a table that rules of its database do not concern: the goal is that one costs
 * within 2 % of what it costs without them, where its plan is known and where it is not.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OtherRulesBenchmark {

  private static final String GLOBAL =
      "authority: { users: [ { user: app, password: app }, { user: audit, password: audit } ] }\n";

  private static final String SHARDING =
      """
      databaseName: sb
      dataSources:
        ds_0: { url: "jdbc:mysql://127.0.0.1/sb", username: u, password: p }
        ds_1: { url: "jdbc:mysql://127.0.0.1/sb", username: u, password: p }
        other: { url: "jdbc:mysql://127.0.0.1/sb", username: u, password: p }
      rules:
      - !SHARDING
        tables:
          sbtest1:
            actualDataNodes: ds_${0..1}.sbtest1
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
        shardingAlgorithms:
          by_id: { type: MOD, props: { sharding-count: 2 } }
      """;

  /** Rules over other tables. */
  public enum Rules {
    NONE(""),
    ENCRYPT(
        """
        - !ENCRYPT
          tables:
            person: { columns: { phone: { cipher: { name: phone_cipher, encryptorName: aes } } } }
          encryptors:
            aes: { type: AES, props: { aes-key-value: 123456abc, digest-algorithm-name: SHA-1 } }
        """),
    MASK(
        """
        - !MASK
          tables: { person: { columns: { phone: { maskAlgorithm: digest } } } }
          maskAlgorithms: { digest: { type: MD5 } }
          users: [audit]
        """),
    SHADOW(
        """
        - !SHADOW
          dataSources:
            pair: { productionDataSourceName: ds_0, shadowDataSourceName: other }
          tables:
            person: { dataSourceNames: [pair], shadowAlgorithmNames: [by_id] }
          shadowAlgorithms:
            by_id: { type: VALUE_MATCH, props: { column: id, operation: select, value: "7" } }
        """);

    private final String text;

    Rules(String text) {
      this.text = text;
    }
  }

  @Param public Rules rules = Rules.NONE;

  private final byte[] sql = "SELECT c FROM sbtest1 WHERE id=498731".getBytes(UTF_8);
  private final SqlScanner scanner = new SqlScanner();
  private final Scan scan = new Scan();
  private final TextSlotValues values = new TextSlotValues();
  private @Nullable PlanScope scope;
  private @Nullable StatementPlanner planner;

  /** Plans the statement once. */
  @Setup
  public void plan() {
    RuleSet all =
        new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
            .load(
                List.of(
                    new ConfigurationText("global.yaml", GLOBAL),
                    new ConfigurationText("database-sb.yaml", SHARDING + rules.text)))
            .ruleSet();
    scope = new PlanScope(Objects.requireNonNull(all.databases().get("sb")), UTF_8, false, false);
    planner = new StatementPlanner(all, database -> new OneTableCatalog());
    planner().plan(scan(), scope());
  }

  private PlanScope scope() {
    return Objects.requireNonNull(scope);
  }

  private StatementPlanner planner() {
    return Objects.requireNonNull(planner);
  }

  private Scan scan() {
    return scanner.scan(sql, 0, sql.length, LexerMode.DEFAULT, scan);
  }

  /** From its bytes to the query, its plan found. */
  @Benchmark
  public @Nullable BoundPlan known() {
    StatementPlan plan = planner().cached(scan(), scope());
    return plan == null ? null : plan.bind(values.over(scan, UTF_8, LexerMode.DEFAULT));
  }

  /** The same, planned anew. */
  @Benchmark
  public BoundPlan unknown() {
    planner().invalidate();
    return planner().plan(scan(), scope()).bind(values.over(scan, UTF_8, LexerMode.DEFAULT));
  }
}
