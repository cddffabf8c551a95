package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements over several nodes that fail on some of them. */
@ExtendWith(MariaDbServers.Resolver.class)
class PartialFailureIT {

  private static final String TABLE =
      "CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, note VARCHAR(20),"
          + " PRIMARY KEY (order_id, user_id))";

  @Test
  void ddlTellsWhereItFailedAndCanBeRepeated(MariaDbServers servers) throws SQLException {
    String schema = "it_partial_ddl";
    try (ShardedFixture fixture = ShardedFixture.start(servers, schema);
        Connection proxied = fixture.throughProxy()) {
      done(proxied, TABLE);
      servers.primaryB().execute("ALTER TABLE " + schema + ".t_order_1 ADD COLUMN extra INT");

      String answer = Transcript.of(proxied, "ALTER TABLE t_order ADD COLUMN extra INT").head();
      assertThat(answer).startsWith("error 1105 HY000 AB3005");
      String[] parts = answer.split("done: ", -1);
      assertThat(parts).hasSize(2);
      assertThat(parts[0]).contains("ds_1 [ALTER TABLE t_order_1 ").contains("Duplicate column");
      assertThat(parts[0]).doesNotContain("t_order_0").doesNotContain("ds_0");
      for (String node :
          new String[] {"ds_0 [ALTER TABLE t_order_1", "ds_1 [ALTER TABLE t_order_3"}) {
        assertThat(parts[1]).contains(node);
      }
      done(proxied, "ALTER TABLE t_order ADD COLUMN IF NOT EXISTS extra INT");
      done(proxied, "INSERT INTO t_order (order_id, user_id, extra) VALUES (1, 1, 1), (2, 2, 2)");
      assertThat(Transcript.of(proxied, "SELECT SUM(extra), COUNT(*) FROM t_order").rows())
          .containsExactly("BigDecimal 3|Long 2|");
    }
  }

  /** What is done is told; where nothing is done, nothing follows. */
  @Test
  void interruptedDdlTellsWhereItIsDoneAndGoesNoFurther(MariaDbServers servers) throws Exception {
    String schema = "it_partial_kill";
    try (ShardedFixture fixture = ShardedFixture.start(servers, schema);
        Connection proxied = fixture.throughProxy();
        Connection other = fixture.throughProxy();
        Connection reader = servers.primaryA().connect(schema);
        Connection elsewhere = servers.primaryB().connect(schema)) {
      done(proxied, TABLE);
      reader.setAutoCommit(false);
      Transcript.of(reader, "SELECT COUNT(*) FROM t_order_0");
      String id = Transcript.of(proxied, "SELECT CONNECTION_ID()").rows().getFirst();
      var altered =
          CompletableFuture.supplyAsync(
              () -> Transcript.of(proxied, "ALTER TABLE t_order ADD COLUMN extra INT").head());
      String last = "SHOW COLUMNS FROM t_order_3 LIKE 'extra'";
      while (Transcript.of(elsewhere, last).rows().isEmpty()) {
        Thread.sleep(20);
      }
      done(other, "KILL QUERY " + id.replaceAll("\\D", ""));
      String answer = altered.get();
      assertThat(answer).startsWith("error 1105 HY000 AB3005");
      String[] parts = answer.split("done: ", -1);
      assertThat(parts[0]).contains("ds_0 [ALTER TABLE t_order_0", "ds_0 [ALTER TABLE t_order_3");
      assertThat(parts[0]).contains("interrupted").doesNotContain("ds_1");
      assertThat(parts[1]).contains("ds_1 [ALTER TABLE t_order_3").doesNotContain("ds_0");
      reader.rollback();
    }
  }

  /** One server drops parents together with their children, in whatever order they are named. */
  @ParameterizedTest
  @ValueSource(strings = {"t_order, t_item", "t_item, t_order", "p, c", "c, p"})
  void tablesAreDroppedTogetherWithThoseThatReferToThem(String names, MariaDbServers servers)
      throws SQLException {
    try (ShardedFixture fixture = ShardedFixture.start(servers, "it_partial_drop");
        Connection proxied = fixture.throughProxy()) {
      done(proxied, TABLE);
      done(
          proxied,
          "CREATE TABLE t_item (order_id BIGINT NOT NULL, user_id INT NOT NULL,"
              + " PRIMARY KEY (order_id, user_id), FOREIGN KEY (order_id, user_id)"
              + " REFERENCES t_order (order_id, user_id))");
      done(proxied, "CREATE TABLE p (id INT PRIMARY KEY)");
      done(proxied, "CREATE TABLE c (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES p (id))");
      done(proxied, "DROP TABLE " + names);
      assertThat(
              Transcript.of(proxied, "SELECT 1 FROM " + names.substring(0, names.indexOf(',')))
                  .head())
          .startsWith("error 1146");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void writesAreOneUnitUnlessThatIsOff(boolean atomic, MariaDbServers servers) throws SQLException {
    String schema = "it_partial_" + atomic;
    try (ShardedFixture fixture =
            ShardedFixture.start(servers, schema, "proxy-atomic-statements: " + atomic);
        Connection proxied = fixture.throughProxy()) {
      done(proxied, TABLE);
      done(proxied, "INSERT INTO t_order (order_id, user_id) VALUES (1, 1)");

      String insert =
          Transcript.of(proxied, "INSERT INTO t_order (order_id, user_id) VALUES (2, 2), (1, 1)")
              .head();
      assertThat(insert).startsWith(atomic ? "error 1062 23000" : "error 1105 HY000 AB3023");
      if (!atomic) {
        assertThat(insert)
            .containsSubsequence("failed: ds_1 [", "Duplicate entry", "done: ds_0 [INSERT INTO");
      }
      assertThat(Transcript.of(proxied, "SELECT COUNT(*) FROM t_order").rows())
          .containsExactly(atomic ? "Long 1|" : "Long 2|");
      done(proxied, "INSERT INTO t_order (order_id, user_id) VALUES (3, 3), (4, 4)");
      done(proxied, "UPDATE t_order SET note = 'x'");
      assertThat(Transcript.of(proxied, "SELECT COUNT(*) FROM t_order WHERE note = 'x'").rows())
          .containsExactly(atomic ? "Long 3|" : "Long 4|");
    }
  }

  private static void done(Connection connection, String sql) {
    Transcript answer = Transcript.of(connection, sql);
    assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isFalse();
  }
}
