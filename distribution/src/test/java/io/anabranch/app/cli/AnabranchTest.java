package io.anabranch.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that need files alone, and what the others say where nobody answers. */
class AnabranchTest {

  private static final String GLOBAL =
      """
      authority: { users: [ { user: root, password: secret-of-root, admin: true } ] }
      props: { proxy-admin-port: 1 }
      """;

  private static final String DATABASE =
      """
      databaseName: shop
      dataSources:
        ds_0: { url: "jdbc:mysql://127.0.0.1:1/a", username: u, password: p, maxPoolSize: 5 }
        ds_1: { url: "jdbc:mysql://127.0.0.1:1/b", username: u, password: p }
      rules:
      - !SHARDING
        tables:
          t_order:
            actualDataNodes: ds_${0..1}.t_order_${0..1}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
            tableStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: by_order } }
        shardingAlgorithms:
          by_user: { type: INLINE, props: { algorithm-expression: "ds_${user_id % 2}" } }
          by_order: { type: INLINE, props: { algorithm-expression: "t_order_${order_id % 2}" } }
      - !BROADCAST
        tables: [ t_dict ]
      """;

  @TempDir private Path home;

  private record Outcome(int exitCode, String out, String err) {}

  @BeforeEach
  void configuration() throws IOException {
    write("conf", DATABASE);
  }

  private Path write(String directory, String database) throws IOException {
    Path conf = Files.createDirectories(home.resolve(directory));
    Files.writeString(conf.resolve("global.yaml"), GLOBAL);
    Files.writeString(conf.resolve("database-shop.yaml"), database);
    return conf;
  }

  private Outcome run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var surroundings =
        new Surroundings(home, home.resolve("logs"), _ -> null, new StringReader("SELECT 1;"));
    int exitCode =
        Anabranch.execute(
            surroundings, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  @Test
  void helpNamesEveryCommand() {
    Outcome help = run("--help");
    assertThat(help.exitCode).isZero();
    assertThat(help.out)
        .contains(
            "check", "route", "diff", "reload", "status", "drain", "undrain", "sql", "encrypt",
            "convert", "version")
        .contains("completion", "78  the configuration has problems");
    assertThat(run().exitCode).isEqualTo(2);
    assertThat(run("chek").err).contains("anabranch check");
    assertThat(run("version").out).startsWith("anabranch ");
    assertThat(run("completion").out).contains("_complete_anabranch");
  }

  @Test
  void checkTakesWhatIsInOrder() {
    Outcome good = run("check");
    assertThat(good.exitCode).as(good.err).isZero();
    assertThat(good.out).contains("conf is in order: 1 database, 1 user");
    assertThat(run("check", "-q").out).isEmpty();
  }

  @Test
  void checkTellsEveryProblemWithItsPlace() throws IOException {
    Path conf =
        write(
            "bad", DATABASE.replace("maxPoolSize: 5", "maxPolSize: 5").replace("by_user }", "x }"));
    Outcome bad = run("check", conf.toString());
    assertThat(bad.exitCode).isEqualTo(78);
    assertThat(bad.err)
        .contains(conf + "/database-shop.yaml:3:")
        .contains("maxPolSize")
        .contains(conf + "/database-shop.yaml:10:");
    Path url = write("url", DATABASE.replaceFirst("jdbc:m[a-z]+:", "jdbc:mariadb:sequential:"));
    assertThat(run("check", url.toString()).err).contains("jdbc:mysql://host:port/schema");
    assertThat(run("check", home.resolve("nowhere").toString()).exitCode).isEqualTo(78);
  }

  @Test
  void checkKnowsWhatTheStartRefuses() throws IOException {
    Files.writeString(
        home.resolve("conf/global.yaml"),
        "authority: { users: [ { user: root, password: anabranch } ] }\n");
    assertThat(run("check").exitCode).isZero();
    Outcome open = run("check", "-a", "0.0.0.0");
    assertThat(open.exitCode).isEqualTo(78);
    assertThat(open.err).contains("sample password");
  }

  @Test
  void encryptSaysWhatItCannotDo() {
    Outcome nowhere = run("encrypt", "-D", "none", "-t", "t", "--column", "c");
    assertThat(nowhere.exitCode).isEqualTo(2);
    assertThat(nowhere.err).contains("there is no database none");
    Outcome without = run("encrypt", "-D", "shop", "-t", "t", "--column", "c");
    assertThat(without.exitCode).isEqualTo(1);
    assertThat(without.err).contains("no rule !ENCRYPT for t.c");
    assertThat(run("encrypt", "-D", "shop").exitCode).isEqualTo(2);
    assertThat(run("encrypt", "-D", "shop", "-t", "t", "--column", "c", "--rows", "0").err)
        .contains("--rows takes 1 to");
  }

  @Test
  void checkConnectsWhereItIsAskedTo() {
    Outcome down = run("check", "--connect");
    assertThat(down.exitCode).isEqualTo(1);
    assertThat(down.err)
        .contains("data source shop.ds_0 cannot be used", "data source shop.ds_1 cannot be used");
  }

  @Test
  void routeSaysTheWayByTheFilesAlone() {
    Outcome single = run("route", "SELECT * FROM t_order WHERE order_id = 7 AND user_id = 3");
    assertThat(single.exitCode).as(single.err).isZero();
    assertThat(single.out)
        .startsWith(
            "relay  ds_1  SELECT * FROM t_order_1 AS t_order WHERE order_id = 7 AND user_id = 3")
        .contains("are assumed");
    Outcome merged = run("route", "-D", "shop", "SELECT COUNT(*) FROM t_order");
    assertThat(merged.out).contains("merge  ds_0", "merge  ds_1", "aggregate COUNT 0");
    Outcome joined =
        run(
            "route",
            "SELECT * FROM t_order o JOIN t_dict d ON o.k = d.k WHERE order_id = 3 AND user_id = 5");
    assertThat(joined.out).startsWith("relay  ds_1  ");
  }

  @Test
  void routeSaysWhatItCannotKnow() {
    Outcome unknown = run("route", "SELECT * FROM t_elsewhere");
    assertThat(unknown.exitCode).isEqualTo(1);
    assertThat(unknown.err).contains("has a table t_elsewhere").contains("EXPLAIN ROUTE");
    assertThat(run("route", "COMMIT").err).contains("answered by the proxy itself");
    Outcome elsewhere = run("route", "-D", "shoop", "SELECT 1");
    assertThat(elsewhere.exitCode).isEqualTo(2);
    assertThat(elsewhere.err).contains("-D shop");
  }

  @Test
  void diffComparesDirectories() throws IOException {
    Path other = write("other", DATABASE.replace("maxPoolSize: 5", "maxPoolSize: 6"));
    String conf = home.resolve("conf").toString();
    Outcome changed = run("diff", "--exit-code", conf, other.toString());
    assertThat(changed.exitCode).isEqualTo(1);
    assertThat(changed.out)
        .isEqualToIgnoringNewLines("database shop: dataSources.ds_0.maxPoolSize: 5 -> 6");
    assertThat(run("diff", conf, conf).out).isEqualToIgnoringNewLines("nothing changes");
    assertThat(run("diff", conf).exitCode).isEqualTo(2);
  }

  @Test
  void noProxyIsSaidWithACodeOfItsOwn() {
    for (List<String> command :
        List.of(
            List.of("status"),
            List.of("reload"),
            List.of("diff"),
            List.of("drain"),
            List.of("undrain"),
            List.of("status", "--url", "http://127.0.0.1:1"),
            List.of("sql", "-H", "127.0.0.1", "-P", "1", "SELECT 1"))) {
      Outcome outcome = run(new ArrayList<>(command).toArray(String[]::new));
      assertThat(outcome.exitCode).as("%s: %s", command, outcome.err).isEqualTo(69);
      assertThat(outcome.err).doesNotContain("secret-of-root");
    }
  }
}
