package io.anabranch.app.definition;

import io.anabranch.app.fixture.table.ShardedPair;
import io.anabranch.testkit.MariaDbServers;
import java.sql.SQLException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On MariaDB, with what MySQL does not have. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class SchemaDriftIT extends SchemaDriftCases {

  private static ShardedPair pair;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    pair = ShardedPair.start(ShardedPair.of(servers), "it_drift");
    pair.run(
        "CREATE TABLE made (id BIGINT PRIMARY KEY, user_id INT, code INT)",
        "CREATE TABLE word (w VARCHAR(20) COLLATE utf8mb4_bin PRIMARY KEY, n INT)");
  }

  @AfterAll
  static void stop() {
    pair.close();
  }

  @Override
  ShardedPair pair() {
    return pair;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE INDEX i ON t_1 (a)|CREATE INDEX IF NOT EXISTS i ON t (b)",
        "CREATE INDEX i ON t_1 (b)|CREATE UNIQUE INDEX IF NOT EXISTS i ON t (b, id, user_id)",
        "CREATE INDEX i ON t_1 (a)|ALTER TABLE t ADD INDEX IF NOT EXISTS i (b)",
        "ALTER TABLE t_1 ADD COLUMN c VARCHAR(9)|ALTER TABLE t ADD COLUMN IF NOT EXISTS c INT",
        "ALTER TABLE t_1 ADD COLUMN c INT FIRST|ALTER TABLE t ADD COLUMN IF NOT EXISTS c INT"
      })
  void aConditionThatHidesSomethingElseIsNoSuccess(String before, String sql) throws SQLException {
    pair.server.execute("USE " + pair.actual(1), before);
    Assertions.assertThat(pair.refusal(sql)).contains("AB2049").contains("ds_1.t_1");
  }

  @Test
  void aConditionThatHelpsMendingSucceeds() throws SQLException {
    pair.server.execute("USE " + pair.actual(1), "CREATE INDEX i ON t_1 (b)");
    Assertions.assertThat(pair.refusal("CREATE INDEX IF NOT EXISTS i ON t (b)")).isEmpty();
    Assertions.assertThat(pair.refusal("DROP INDEX IF EXISTS i ON t")).isEmpty();
    Assertions.assertThat(pair.refusal("ALTER TABLE t DROP COLUMN IF EXISTS zz")).isEmpty();
    Assertions.assertThat(
            pair.refusal("CREATE OR REPLACE TABLE t (id INT, user_id INT, a INT, b INT)"))
        .isEmpty();
  }
}
