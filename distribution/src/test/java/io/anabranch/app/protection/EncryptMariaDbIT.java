package io.anabranch.app.protection;

import static io.anabranch.app.protection.EncryptIT.assertAlike;
import static io.anabranch.app.protection.EncryptIT.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.protection.EncryptIT.Case;
import io.anabranch.app.protection.EncryptIT.Layout;
import io.anabranch.app.protection.EncryptIT.Pair;
import io.anabranch.app.protection.EncryptIT.Protocol;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What MySQL has not, or tells too much with: RETURNING gives plain values, EXPLAIN none. */
@ExtendWith(MariaDbServers.Resolver.class)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class EncryptMariaDbIT {

  private static final List<Case> CASES =
      List.of(
          new Case(
              "INSERT INTO person VALUES (?, ?, ?, ?, ?) RETURNING *",
              1,
              "777",
              "x@example.org",
              "a note",
              "Ulm"),
          new Case(
              "INSERT INTO person (id, phone, note) VALUES (?, ?, ?), (?, ?, ?) RETURNING id,"
                  + " phone AS number, note",
              2,
              "778",
              "b note",
              3,
              "779",
              null),
          new Case(
              "REPLACE INTO person (id, phone, city) VALUES (?, ?, ?) RETURNING phone, id + 1 AS n",
              3,
              "790",
              "Ulm"),
          new Case("INSERT INTO contact (id, phone) VALUES (?, ?) RETURNING city", 1, "777"),
          new Case("DELETE FROM person WHERE phone = ? RETURNING id, phone, mail", "777"),
          new Case("DELETE FROM person WHERE id > ? RETURNING *", 2),
          new Case("DELETE FROM person WHERE phone = ? RETURNING phone", "none"),
          new Case("SELECT * FROM person"));

  @ParameterizedTest
  @EnumSource(Layout.class)
  void isDecrypted(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_returning")) {
      for (Protocol protocol : Protocol.values()) {
        assertAlike(pair, protocol, List.of("person", "contact"), CASES);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void isPartOfTransactions(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_returning_tx");
        Connection client = pair.client()) {
      client.setAutoCommit(false);
      assertThat(
              EncryptIT.rows(
                  client, "INSERT INTO person (id, phone) VALUES (1, '777') RETURNING phone"))
          .containsExactly(List.of("777"));
      client.rollback();
      assertThat(EncryptIT.rows(client, "SELECT phone FROM person")).isEmpty();
      client.commit();
    }
  }

  /** As the server explains what it is asked, without what is stored. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void explainsStatements(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_explain");
        Connection client = pair.client()) {
      run(client, "INSERT INTO person VALUES (1, '777', 'x@y', 'a note', 'Ulm')");
      run(client, "INSERT INTO person VALUES (2, '778', 'x@y', 'a note', 'Ulm')");
      List<String> stored = pair.stored();
      for (String sql :
          List.of(
              "EXPLAIN SELECT * FROM person WHERE phone = '777'",
              "EXPLAIN SELECT p.phone FROM person p JOIN contact c ON c.phone = p.phone",
              "EXPLAIN UPDATE person SET mail = '777' WHERE phone = '777'",
              "EXPLAIN DELETE FROM person WHERE phone IN ('777', '778')")) {
        String told = EncryptIT.rows(client, sql) + " " + EncryptIT.rows(client, "SHOW WARNINGS");
        assertThat(told).as(sql).containsAnyOf("SIMPLE", "PRIMARY", "UPDATE", "DELETE");
        assertThat(stored).as(sql).noneMatch(cell -> cell.length() > 9 && told.contains(cell));
      }
      assertThat(pair.stored()).isEqualTo(stored);
    }
  }
}
