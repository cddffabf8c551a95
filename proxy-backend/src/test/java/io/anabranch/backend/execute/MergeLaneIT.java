package io.anabranch.backend.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.execute.catalog.LiveCatalog;
import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.merge.Rows;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.DatabaseChannels;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireShardConnections;
import io.anabranch.backend.row.RowSink;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.stage.StageLimits;
import io.anabranch.backend.stage.StagedBytes;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.LocalCoordinator;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.Aggregate.Function;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The merge lane over two MariaDB servers: what it gives is what one table gives. */
@ExtendWith(MariaDbServers.Resolver.class)
class MergeLaneIT {

  private static final String DATABASE = "dev_merge";

  private final MariaDbServer primaryA;
  private final MariaDbServer primaryB;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final HikariLeaseDesk desk;
  private final LiveCatalog catalog;
  private final SessionTransaction transaction;

  MergeLaneIT(MariaDbServers servers) {
    primaryA = servers.primaryA();
    primaryB = servers.primaryB();
    for (MariaDbServer server : List.of(primaryA, primaryB)) {
      server.execute("DROP DATABASE IF EXISTS " + DATABASE, "CREATE DATABASE " + DATABASE);
    }
    desk =
        new HikariLeaseDesk(
            "logic",
            List.of(source("a", primaryA), source("b", primaryB)),
            new BackendTransport(loops, DatabaseChannels.of(NioSocketChannel::new)),
            new WireShardConnections(new KeptStatements(16))::over,
            PoolListener.NONE);
    catalog =
        new LiveCatalog(
            "logic",
            _ -> true,
            name -> desk.leaseBlocking(new LeaseDesk.Request(name, false, loops.next())),
            new DefinitionChanges());
    transaction =
        new SessionTransaction(
            () -> desk,
            false,
            loops.next(),
            new LocalCoordinator(new CommitBarrier()),
            Thread::startVirtualThread);
  }

  private static DataSourceDefinition source(String name, MariaDbServer server) {
    return new DataSourceDefinition(
        name,
        server.url(DATABASE),
        MariaDbServer.USER,
        MariaDbServer.PASSWORD,
        10_000,
        60_000,
        600_000,
        4,
        0,
        false,
        Map.of());
  }

  @BeforeEach
  void fill() {
    String table =
        "(id BIGINT UNSIGNED PRIMARY KEY, g INT, n DECIMAL(10,2), d DOUBLE, s VARCHAR(20) COLLATE"
            + " utf8mb4_general_ci, t TIME(3), at DATETIME(6))";
    primaryA.execute(
        "CREATE TABLE dev_merge.t_0 " + table,
        "CREATE TABLE dev_merge.whole " + table,
        "INSERT INTO dev_merge.t_0 VALUES (18446744073709551615,1,0.05,1e15,'b','-10:00:00',"
            + "'2024-01-01'),(2,2,-1.10,0.5,'A','09:00:00','0000-00-00'),(10,NULL,NULL,NULL,NULL,"
            + "NULL,NULL)",
        "INSERT INTO dev_merge.whole SELECT * FROM dev_merge.t_0");
    primaryB.execute(
        "CREATE TABLE dev_merge.t_1 " + table,
        "INSERT INTO dev_merge.t_1 VALUES (9,1,0.10,1,'a','100:00:00.5','2024-01-01 00:00:00.1'),"
            + "(9223372036854775808,1,7.77,0.25,'a\\t','-00:00:00.001','1999-12-31 23:59:59')");
    primaryA.execute(
        "INSERT INTO dev_merge.whole VALUES (9,1,0.10,1,'a','100:00:00.5','2024-01-01"
            + " 00:00:00.1'),(9223372036854775808,1,7.77,0.25,'a\\t','-00:00:00.001','1999-12-31"
            + " 23:59:59')");
  }

  @AfterEach
  void end() {
    transaction.close();
    desk.close();
    loops.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static ShardQuery query(String source, String sql) {
    return ShardQuery.text(source, sql.getBytes(UTF_8));
  }

  private PlanNode.Route scatter(String sql) {
    ShardQuery first = query("a", sql.replace("@T", "t_0"));
    return new PlanNode.Route(
        List.of(first, query("b", sql.replace("@T", "t_1"))), catalog.describe(first));
  }

  private List<String> run(PlanNode root, boolean binary) {
    var sink = new Shown(binary);
    walk(root, binary, sink);
    return sink.rows;
  }

  private MergeOutcome walk(PlanNode root, boolean binary, RowSink sink) {
    return new PlanWalker(
            1000, new StageLimits(100_000, 1 << 30), new StagedBytes(), true, rows -> {})
        .run(
            new MergeRequest(
                root,
                ExecuteParameters.NONE,
                binary,
                new NameMapping("shop", Map.of("t_0", "t", "t_1", "t")),
                transaction.connections().leases(name -> name, SessionSettings.INITIAL),
                new Cancellation()),
            sink);
  }

  /** What one table gives. */
  private List<String> whole(String sql) {
    ShardQuery query = query("a", sql.replace("@T", "whole"));
    return run(new PlanNode.Route(List.of(query), catalog.describe(query)), false);
  }

  private static SortKey key(int column, boolean descending) {
    return new SortKey(column, -1, new byte[0], descending);
  }

  @Test
  void ordersByEveryTypeAsTheDatabaseDoes() {
    for (String column : List.of("id", "n", "d", "t", "at")) {
      for (boolean descending : new boolean[] {false, true}) {
        String sql = "SELECT " + column + ", id FROM @T ORDER BY 1" + (descending ? " DESC" : "");
        List<String> expected = whole(sql);
        PlanNode merge = new PlanNode.OrderedMerge(scatter(sql), List.of(key(0, descending)));
        assertThat(run(merge, false)).as(sql).isEqualTo(expected);
        assertThat(run(merge, true)).as(sql + ", binary").isEqualTo(expected);
      }
    }
  }

  @Test
  void ordersStringsByTheirCollation() {
    byte[] pad = catalog.weights("a", 45).blank();
    String sql = "SELECT s, WEIGHT_STRING(s) FROM @T ORDER BY 1";
    PlanNode merge =
        new PlanNode.TrimColumns(
            new PlanNode.OrderedMerge(
                scatter(sql), List.of(new SortKey(0, 1, pad, false), key(0, false))),
            1);

    assertThat(run(merge, false)).containsExactly("NULL", "a\t", "A", "a", "b");
    assertThat(whole("SELECT s FROM @T ORDER BY s, HEX(s)")).isEqualTo(run(merge, true));
  }

  @Test
  void aggregatesAsTheDatabaseDoes() {
    String partial =
        "SELECT COUNT(*), SUM(n), SUM(d), MIN(id), MAX(id), MAX(t), BIT_XOR(id), SUM(n), COUNT(n)"
            + " FROM @T";
    PlanNode.Route route = scatter(partial);
    var columns = new ArrayList<>(route.columns());
    columns.set(7, catalog.describe(query("a", "SELECT AVG(n) FROM t_0")).getFirst());
    var described = new PlanNode.Route(route.queries(), columns);
    var aggregates = new ArrayList<Aggregate>();
    Function[] functions = {
      Function.COUNT,
      Function.SUM,
      Function.SUM,
      Function.MIN,
      Function.MAX,
      Function.MAX,
      Function.BIT_XOR
    };
    for (int i = 0; i < functions.length; i++) {
      aggregates.add(new Aggregate(functions[i], i, -1, new byte[0]));
    }
    aggregates.add(new Aggregate(Function.AVG, 7, 8, new byte[0]));
    PlanNode plan = new PlanNode.GroupedAggregate(described, List.of(), aggregates);

    List<String> expected =
        whole(
            "SELECT COUNT(*), SUM(n), SUM(d), MIN(id), MAX(id), MAX(t), BIT_XOR(id), AVG(n) FROM"
                + " @T");
    assertThat(run(plan, false)).isEqualTo(expected);
    assertThat(run(plan, true)).isEqualTo(expected);
  }

  @Test
  void writesEverywhereOrNowhere() {
    var both =
        new PlanNode.Write(
            List.of(
                query("a", "INSERT INTO t_0 (id) VALUES (100)"),
                query("b", "INSERT INTO t_1 (id) VALUES (9)")),
            PlanNode.Summing.SUM,
            true);

    assertThatThrownBy(() -> walk(both, false, new Shown(false)))
        .isInstanceOfSatisfying(
            ShardException.Database.class, e -> assertThat(e.errno()).isEqualTo(1062));
    assertThat(primaryA.queryOne("SELECT COUNT(*) FROM dev_merge.t_0 WHERE id = 100"))
        .isEqualTo("0");
  }

  private static PlanNode.Write inserts(ShardQuery... queries) {
    return new PlanNode.Write(List.of(queries), PlanNode.Summing.SUM, true);
  }

  /** Warnings are read before the next write of the data source forgets them. */
  @Test
  void writesThatWarnInBetweenAreCountedAndTold() {
    var many =
        inserts(
            query("a", "INSERT IGNORE INTO t_0 (id) VALUES (2), (101)"),
            query("b", "INSERT INTO t_1 (id) VALUES (102)"),
            query("a", "INSERT INTO t_0 (id) VALUES (103)"),
            query("b", "INSERT IGNORE INTO t_1 (id) VALUES (9)"),
            query("a", "INSERT INTO t_0 (id) VALUES (104), (105)"),
            query("b", "INSERT INTO t_1 (id) VALUES (106)"));

    assertThat(walk(many, false, new Shown(false)))
        .isInstanceOfSatisfying(
            MergeOutcome.Done.class,
            done -> {
              assertThat(done.affectedRows()).isEqualTo(6);
              assertThat(done.warnings()).isEqualTo(2);
              assertThat(done.warningRows())
                  .extracting(row -> row.get(1))
                  .containsExactly("1062", "1062");
            });
    assertThat(primaryA.queryOne("SELECT COUNT(*) FROM dev_merge.t_0 WHERE id BETWEEN 101 AND 105"))
        .isEqualTo("4");
    assertThat(primaryB.queryOne("SELECT COUNT(*) FROM dev_merge.t_1 WHERE id IN (102, 106)"))
        .isEqualTo("2");
  }

  @Test
  void aFailureBetweenWritesUndoesThoseBeforeAndRunsNoneBehind() {
    var many =
        inserts(
            query("a", "INSERT INTO t_0 (id) VALUES (201)"),
            query("a", "INSERT INTO t_0 (id) VALUES (2)"),
            query("a", "INSERT INTO t_0 (id) VALUES (202)"),
            query("b", "INSERT INTO t_1 (id) VALUES (203)"));

    assertThatThrownBy(() -> walk(many, false, new Shown(false)))
        .isInstanceOfSatisfying(
            ShardException.Database.class, e -> assertThat(e.errno()).isEqualTo(1062));
    assertThat(primaryA.queryOne("SELECT COUNT(*) FROM dev_merge.t_0 WHERE id > 200 AND id < 300"))
        .isEqualTo("0");
    assertThat(primaryB.queryOne("SELECT COUNT(*) FROM dev_merge.t_1 WHERE id = 203"))
        .isEqualTo("0");
    assertThat(
            walk(
                inserts(query("a", "INSERT INTO t_0 (id) VALUES (2000)")), false, new Shown(false)))
        .isInstanceOf(MergeOutcome.Done.class);
  }

  @Test
  void aTransactionSpansBothDataSources() {
    transaction.begin(TransactionOptions.DEFAULT, SessionSettings.INITIAL);
    var both =
        new PlanNode.Write(
            List.of(query("a", "UPDATE t_0 SET n = 1"), query("b", "UPDATE t_1 SET n = 1")),
            PlanNode.Summing.SUM,
            true);
    assertThat(walk(both, false, new Shown(false)))
        .isInstanceOfSatisfying(
            MergeOutcome.Done.class, done -> assertThat(done.affectedRows()).isEqualTo(5));
    assertThat(primaryB.queryOne("SELECT COUNT(*) FROM dev_merge.t_1 WHERE n = 1")).isEqualTo("0");

    transaction.commit(false);

    assertThat(primaryA.queryOne("SELECT COUNT(*) FROM dev_merge.t_0 WHERE n = 1")).isEqualTo("3");
    assertThat(primaryB.queryOne("SELECT COUNT(*) FROM dev_merge.t_1 WHERE n = 1")).isEqualTo("2");
  }

  @Test
  void tellsErrorsWithLogicalNames() {
    assertThatThrownBy(
            () ->
                walk(
                    new PlanNode.Write(
                        List.of(query("a", "CREATE TABLE t_0 (id INT)")),
                        PlanNode.Summing.FIRST,
                        false),
                    false,
                    new Shown(false)))
        .hasMessage("Table 't' already exists");
  }

  @Test
  void knowsTablesAndCollations() {
    assertThat(catalog.defaultSchema("a")).isEqualTo(DATABASE);
    assertThat(catalog.tableNames("b")).containsExactly("t_1");
    assertThat(catalog.table("a", "nothing")).isEmpty();
    assertThat(catalog.table("a", "t_0").orElseThrow().columns())
        .extracting(column -> column.name() + " " + column.type())
        .containsExactly(
            "id bigint(20) unsigned",
            "g int(11)",
            "n decimal(10,2)",
            "d double",
            "s varchar(20)",
            "t time(3)",
            "at datetime(6)");
    assertThat(catalog.weights("a", 45).blank()).containsExactly(0, ' ');
    assertThat(catalog.weights("a", 63).blank()).isEmpty();
    assertThat(catalog.weights("a", 1270).blank()).as("NO PAD").isEmpty();
    assertThat(catalog.weights("a", 2304).blank())
        .as("by character set")
        .containsExactly(0x02, 0x09);
    assertThat(catalog.weights("a", 2307).decide()).as("accents and case, PAD SPACE").isFalse();
  }

  /** Rows as text, whatever the protocol. */
  private static final class Shown implements RowSink {

    final List<String> rows = new ArrayList<>();
    private final boolean binary;
    private List<ResultColumn> columns = List.of();

    Shown(boolean binary) {
      this.binary = binary;
    }

    @Override
    public void columns(List<ResultColumn> described) {
      columns = described;
    }

    @Override
    public void row(byte[] payload) {
      rows.add(Rows.shown(binary ? asText(payload) : payload, columns.size()));
    }

    private byte[] asText(byte[] payload) {
      var reader = new BinaryRowReader(columns.stream().map(c -> ColumnType.of(c.type())).toList());
      reader.read(payload);
      var writer = new TextRowWriter();
      writer.begin();
      for (int i = 0; i < columns.size(); i++) {
        ResultColumn column = columns.get(i);
        if (reader.isNull(i)) {
          writer.addNull();
        } else {
          new CellConversion(
                  ColumnType.of(column.type()), column.flags(), column.decimals(), column.length())
              .addAsText(writer, payload, reader.offset(i), reader.length(i));
        }
      }
      return writer.finish();
    }
  }
}
