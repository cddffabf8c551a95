package io.anabranch.backend.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.lease.VariableValue;
import io.anabranch.backend.relay.command.PreparedShape;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.RelayRequest;
import io.anabranch.backend.relay.conversation.StatementCache;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.testkit.MariaDbServers;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MariaDbServers.Resolver.class)
class RelayIT {

  private static final long PLAIN =
      Capability.PROTOCOL_41 | Capability.TRANSACTIONS | Capability.MULTI_RESULTS;
  private static final long MODERN = PLAIN | Capability.DEPRECATE_EOF | Capability.SESSION_TRACK;

  private LeaseBed bed;
  private EventLoop loop;

  @BeforeEach
  void open(MariaDbServers servers) {
    servers
        .primaryA()
        .execute(
            "CREATE DATABASE IF NOT EXISTS relay",
            "CREATE OR REPLACE TABLE relay.t_3 (id INT PRIMARY KEY, name VARCHAR(20)) ENGINE=InnoDB",
            "INSERT INTO relay.t_3 VALUES (1, 'one'), (2, 'two'), (3, NULL)");
    bed = new LeaseBed(servers.primaryA().url("relay"), 4, 5_000);
    loop = bed.loops.next();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void connectionIsAPlainSession(MariaDbServers servers) {
    Lease lease = bed.lease(false, loop);
    String session =
        "SELECT CONCAT_WS('|', @@sql_mode, IF(@@autocommit, 'ON', 'OFF'), @@character_set_client,"
            + " @@session_track_system_variables, @@tx_isolation)";
    String global =
        "SELECT CONCAT_WS('|', @@global.sql_mode, 'ON', 'utf8mb4',"
            + " @@global.session_track_system_variables, @@global.tx_isolation)";
    assertThat(textOf(lease, session)).isEqualTo(servers.primaryA().queryOne(global));
    assertThat(LeaseBed.wire(lease).capabilities() & Capability.FOUND_ROWS).isZero();
    assertThat(LeaseBed.wire(lease).database()).isEqualTo("relay");
    assertThat(LeaseBed.wire(lease).threadId())
        .isEqualTo(Long.parseLong(textOf(lease, "SELECT CONNECTION_ID()")));
    lease.release();
    Lease found = bed.lease(true, loop);
    assertThat(LeaseBed.wire(found).capabilities() & Capability.FOUND_ROWS).isNotZero();
    found.release();
  }

  private String textOf(Lease lease, String sql) {
    try (ShardCursor cursor = lease.shard().query(ShardQuery.text("ds_0", sql.getBytes(UTF_8)))) {
      byte[] row = Objects.requireNonNull(cursor.next());
      assertThat(cursor.next()).isNull();
      return new String(row, 1, row.length - 1, UTF_8);
    }
  }

  @Test
  void bothEndsOfRowsAreWhatTheClientNegotiated() {
    Lease lease = bed.lease(false, loop);
    var old = new RecordingSink(PLAIN);
    assertThat(bed.query(lease, old, "SELECT id, name FROM t_3 ORDER BY id"))
        .isEqualTo(new RelayOutcome.Done(doneFlags(lease), -1, 0, 0, 3));
    List<byte[]> packets = old.packets();
    assertThat(packets).hasSize(1 + 2 + 1 + 3 + 1);
    assertThat(packets.get(3)).hasSize(5).startsWith(0xFE);
    assertThat(packets.get(7)).hasSize(5).startsWith(0xFE);
    assertThat(packets.get(4)).isEqualTo("\u00011\u0003one".getBytes(UTF_8));
    var modern = new RecordingSink(MODERN);
    bed.query(lease, modern, "SELECT id, name FROM t_3 ORDER BY id");
    assertThat(modern.packets()).hasSize(1 + 2 + 3 + 1);
    assertThat(modern.packets().get(6)).hasSize(7).startsWith(0xFE);
    lease.release();
  }

  private int doneFlags(Lease lease) {
    var sink = new RecordingSink(MODERN);
    return ((RelayOutcome.Done) bed.query(lease, sink, "SELECT id FROM t_3 ORDER BY id"))
        .statusFlags();
  }

  @Test
  void namesInDefinitionsAndErrorsAreLogical() {
    Lease lease = bed.lease(false, loop);
    var names = new NameMapping("shop", Map.of("t_3", "t", "t_9", "t"));
    var sink = new RecordingSink(MODERN);
    bed.run(lease, request(List.of(), "SELECT name FROM t_3 WHERE id=1", names), sink);
    ColumnDefinition definition =
        ColumnDefinition.decode(Unpooled.wrappedBuffer(sink.packets().get(1)), MODERN, UTF_8);
    assertThat(definition.schema()).isEqualTo("shop");
    assertThat(definition.table()).isEqualTo("t");
    assertThat(definition.orgTable()).isEqualTo("t");
    assertThat(definition.name()).isEqualTo("name");
    var failing = new RecordingSink(MODERN);
    assertThat(bed.run(lease, request(List.of(), "SELECT name FROM t_9", names), failing))
        .isEqualTo(new RelayOutcome.Failed(1146, "42S02", "Table 'shop.t' doesn't exist", false));
    assertThat(new String(failing.packets().getFirst(), UTF_8))
        .endsWith("Table 'shop.t' doesn't exist");
    lease.release();
  }

  private static RelayRequest request(List<byte[]> prologue, String sql, NameMapping names) {
    return new RelayRequest(prologue, new RelayCommand.Query(sql.getBytes(UTF_8)), names);
  }

  @Test
  void settingsAreReplayedInFront() {
    Lease lease = bed.lease(false, loop);
    SessionSettings wanted =
        SessionSettings.INITIAL
            .withCollation(8)
            .with("sql_mode", "'ANSI_QUOTES'")
            .assigned(
                Map.of(
                    "@a", new VariableValue.Text(Objects.requireNonNull(Collation.byId(8)), "78")));
    var sink = new RecordingSink(MODERN);
    List<byte[]> prologue = SettingsReplay.difference(lease.applied(), wanted);
    lease.applied(wanted);
    RelayOutcome outcome =
        bed.run(lease, request(prologue, "DO 0", NameMapping.ofSchema("")), sink);
    assertThat(outcome).isInstanceOf(RelayOutcome.Done.class);
    assertThat(sink.packets()).hasSize(1);
    String state =
        "SELECT CONCAT_WS('|', @@collation_connection, @@character_set_results, @@sql_mode, @a)";
    assertThat(textOf(lease, state)).isEqualTo("latin1_swedish_ci|latin1|ANSI_QUOTES|x");
    List<byte[]> back = SettingsReplay.difference(wanted, SessionSettings.INITIAL);
    lease.applied(SessionSettings.INITIAL);
    bed.run(lease, request(back, "DO 0", NameMapping.ofSchema("")), new RecordingSink(MODERN));
    assertThat(
            textOf(
                lease,
                "SELECT CONCAT_WS('|', @@character_set_client, @@sql_mode=@@global.sql_mode, @a IS NULL)"))
        .isEqualTo("utf8mb4|1|1");
    lease.release();
  }

  @Test
  void anErrorInThePrologueKeepsTheCommandBack() {
    Lease lease = bed.lease(false, loop);
    var sink = new RecordingSink(MODERN);
    RelayOutcome outcome =
        bed.run(
            lease,
            request(
                List.of(
                    "SET sql_mode='NONSENSE'".getBytes(UTF_8), "START TRANSACTION".getBytes(UTF_8)),
                "DELETE FROM t_3",
                NameMapping.ofSchema("")),
            sink);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            RelayOutcome.Failed.class,
            failed -> {
              assertThat(failed.errno()).isEqualTo(1231);
              assertThat(failed.inPrologue()).isTrue();
            });
    assertThat(textOf(lease, "SELECT COUNT(*) FROM t_3")).isEqualTo("3");
    lease.release();
  }

  @Test
  void preparesOnFirstUseAndExecutesAgain() {
    Lease lease = bed.lease(false, loop);
    var query =
        new ShardQuery(
            "ds_0", "SELECT name FROM t_3 WHERE id=? OR id=?".getBytes(UTF_8), new int[] {1, 0});
    for (int round = 0; round < 2; round++) {
      var sink = new RecordingSink(MODERN);
      RelayOutcome outcome =
          bed.run(
              lease,
              new RelayRequest(
                  List.of("START TRANSACTION".getBytes(UTF_8)),
                  new RelayCommand.Execute(query, ExecuteParameters.of(integer(1), integer(2))),
                  NameMapping.ofSchema("")),
              sink);
      assertThat(outcome)
          .isInstanceOfSatisfying(
              RelayOutcome.Done.class, done -> assertThat(done.rows()).isEqualTo(2));
      assertThat(sink.packets()).hasSize(1 + 1 + 2 + 1);
      assertThat(sink.packets().get(2)).isEqualTo("\0\0\u0003one".getBytes(UTF_8));
    }
    assertThat(preparedStatements(lease)).isEqualTo(1);
    for (int i = 0; i < 6; i++) {
      prepare(lease, "SELECT " + i + " + ?");
    }
    assertThat(preparedStatements(lease)).isEqualTo(4);
    lease.discard("in a transaction");
  }

  private int preparedStatements(Lease lease) {
    var count = new CompletableFuture<Integer>();
    loop.execute(() -> count.complete(StatementCache.of(LeaseBed.wire(lease)).size()));
    return count.join();
  }

  private PreparedShape prepare(Lease lease, String sql) {
    var shape = new CompletableFuture<PreparedShape>();
    loop.execute(
        () ->
            bed.relay.prepare(
                lease,
                List.of(),
                ShardQuery.text("ds_0", sql.getBytes(UTF_8)),
                (prepared, failure) -> {
                  if (prepared == null) {
                    shape.completeExceptionally(new AssertionError(failure));
                  } else {
                    shape.complete(prepared);
                  }
                }));
    return shape.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static StatementParameter integer(int value) {
    return new StatementParameter(
        3,
        new byte[] {(byte) value, (byte) (value >> 8), (byte) (value >> 16), (byte) (value >> 24)});
  }

  @Test
  void theServersLimitOfStatementsCostsTheOldOnesOnly(MariaDbServers servers) {
    Lease lease = bed.lease(false, loop);
    prepare(lease, "SELECT 1 + ?");
    servers.primaryA().execute("SET GLOBAL max_prepared_stmt_count=1");
    try {
      assertThat(prepare(lease, "SELECT 2 + ?").parameters()).hasSize(1);
      assertThat(preparedStatements(lease)).isEqualTo(1);
    } finally {
      servers.primaryA().execute("SET GLOBAL max_prepared_stmt_count=DEFAULT");
    }
    lease.release();
  }

  @Test
  void prepareTellsParametersAndColumns() {
    Lease lease = bed.lease(false, loop);
    PreparedShape shape = prepare(lease, "SELECT id, name AS n FROM t_3 WHERE id=?");
    assertThat(shape.parameters()).hasSize(1);
    assertThat(shape.columns()).extracting(ResultColumn::name).containsExactly("id", "n");
    assertThat(shape.columns()).extracting(ResultColumn::orgName).containsExactly("id", "name");
    assertThat(prepare(lease, "SELECT id, name AS n FROM t_3 WHERE id=?")).isSameAs(shape);
    lease.release();
  }

  @Test
  void mergeLaneStreamsAndDescribes() {
    Lease lease = bed.lease(false, loop);
    String many = "SELECT seq, REPEAT('x', 100) FROM seq_1_to_50000";
    int rows = 0;
    try (ShardCursor cursor = lease.shard().query(ShardQuery.text("ds_0", many.getBytes(UTF_8)))) {
      assertThat(cursor.columns()).hasSize(2);
      while (cursor.next() != null) {
        rows++;
      }
    }
    assertThat(rows).isEqualTo(50_000);
    try (ShardCursor cursor = lease.shard().query(ShardQuery.text("ds_0", many.getBytes(UTF_8)))) {
      assertThat(cursor.next()).isNotNull();
    }
    assertThat(lease.shard().describe(ShardQuery.text("ds_0", many.getBytes(UTF_8))))
        .extracting(ResultColumn::name)
        .containsExactly("seq", "REPEAT('x', 100)");
    assertThatThrownBy(
            () -> lease.shard().describe(ShardQuery.text("ds_0", "SELEC 1".getBytes(UTF_8))))
        .isInstanceOfSatisfying(
            ShardException.Database.class, e -> assertThat(e.errno()).isEqualTo(1064));
    assertThat(textOf(lease, "SELECT 5")).isEqualTo("5");
    lease.release();
  }

  @Test
  void aRowOfManyPacketsPasses(MariaDbServers servers) {
    servers.primaryA().execute("SET GLOBAL max_allowed_packet=67108864");
    Lease lease = bed.lease(false, loop);
    String huge = "SELECT REPEAT('x', 40000000)";
    var sink = new RecordingSink(MODERN);
    assertThat(bed.query(lease, sink, huge))
        .isInstanceOfSatisfying(
            RelayOutcome.Done.class, done -> assertThat(done.rows()).isEqualTo(1));
    assertThat(sink.packets()).hasSize(1 + 1 + 3 + 1);
    try (ShardCursor cursor = lease.shard().query(ShardQuery.text("ds_0", huge.getBytes(UTF_8)))) {
      byte[] row = Objects.requireNonNull(cursor.next());
      // 0xFE and eight bytes of length.
      assertThat(row.length).isEqualTo(9 + 40_000_000);
      assertThat(cursor.next()).isNull();
    }
    lease.release();
  }

  @Test
  void leasesOfOtherLoopsGetTheCachedConnections() {
    EventLoop other = bed.loops.next();
    assertThat(other).isNotSameAs(loop);
    for (int round = 0; round < 50; round++) {
      var held = new ArrayList<Lease>();
      EventLoop mine = round % 2 == 0 ? loop : other;
      for (int i = 0; i < 4; i++) {
        Lease lease = bed.lease(i % 2 == 0, mine);
        assertThat(LeaseBed.loopOf(lease)).isSameAs(mine);
        assertThat(textOf(lease, "SELECT " + i)).isEqualTo(Integer.toString(i));
        held.add(lease);
      }
      held.forEach(Lease::release);
    }
  }

  @Test
  void aKilledConnectionIsLostAndNotLeasedAgain(MariaDbServers servers) {
    Lease lease = bed.lease(false, loop);
    long id = LeaseBed.wire(lease).threadId();
    var outcome = new CompletableFuture<RelayOutcome>();
    var sink = new RecordingSink(MODERN);
    loop.execute(
        () ->
            bed.relay.exchange(
                lease,
                request(List.of(), "SELECT SLEEP(30)", NameMapping.ofSchema("")),
                sink,
                outcome::complete));
    servers.primaryA().execute("KILL HARD CONNECTION " + id);
    assertThat(outcome.orTimeout(20, TimeUnit.SECONDS).join())
        .isInstanceOfAny(RelayOutcome.Lost.class, RelayOutcome.Failed.class);
    lease.release();
    Lease next = bed.lease(false, loop);
    assertThat(LeaseBed.wire(next).threadId()).isNotEqualTo(id);
    assertThat(textOf(next, "SELECT 1")).isEqualTo("1");
    next.release();
  }
}
