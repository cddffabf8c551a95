package io.anabranch.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configurations of other proxies become ours, place rows alike, and say what is missing. */
class ConvertCommandTest {

  private static final Path SAMPLES = Path.of("src", "test", "resources", "convert");

  @TempDir Path temporary;

  private record Outcome(int exitCode, String out, String err) {}

  private Outcome run(Object... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var surroundings = new Surroundings(temporary, temporary, _ -> null, new StringReader(""));
    int exitCode =
        Anabranch.execute(
            surroundings,
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            List.of(arguments).stream().map(Object::toString).toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private Path mycat() {
    Path target = temporary.resolve("from-mycat");
    Outcome converted = run("convert", "mycat", SAMPLES.resolve("mycat"), target);
    assertThat(converted.err).isEmpty();
    assertThat(converted.exitCode).as(converted.out).isEqualTo(1);
    return target;
  }

  private String node(Path conf, String table, String column, String value) {
    Outcome route =
        run(
            "route",
            "-c",
            conf,
            "-D",
            "TESTDB",
            "INSERT INTO " + table + " (" + column + ") VALUES (" + value + ")");
    assertThat(route.exitCode).as("%s %s: %s", table, value, route.err).isZero();
    return route.out.split("\\s+", 3)[1];
  }

  @Test
  void mycatsTablesAreConverted() throws IOException {
    Path conf = mycat();
    assertThat(run("check", conf).out).contains("2 databases, 2 users");
    assertThat(conf.resolve("database-TESTDB.yaml"))
        .content()
        .contains(
            "node_0_w: { url: \"jdbc:mysql://192.168.1.100:3306/db1\", username: root, password: \"12$${3}456\", maxPoolSize: 333 }",
            "node_2_r0: { url: \"jdbc:mysql://192.168.1.200:3306/db3\"",
            "maxReplicationLagMilliseconds: 100000",
            "tables: [company]",
            "tables: [\"node_1.config\", \"node_0.*\"]",
            "# node_2 was dataNode dn3",
            "type: PARTITION_BY_MURMUR_HASH",
            "type: PARTITION_BY_STRING",
            "- \"customer, orders, customer_addr\"");
    assertThat(conf.resolve("database-PLAIN.yaml"))
        .content()
        .contains("dn9: { url: \"jdbc:mysql://192.168.1.9:3306/plain\"", "rules: []");
    assertThat(conf.resolve("global.yaml"))
        .content()
        .contains(
            "grants: [\"INSERT, UPDATE, SELECT, DDL ON TESTDB.*\", \"ALL ON PLAIN.*\"]",
            "grants: [\"READ ON TESTDB.*\"]",
            "proxy-default-port: 8066",
            "proxy-frontend-connection-idle-timeout: 300");
  }

  @Test
  void rowsOfMycatsTablesAreWhereTheyWere() {
    Path conf = mycat();
    for (long id : new long[] {0, 1, 2, 3, 255, 256, 1023, 1024, 1279, 123_456_789_012L, -7}) {
      String value = Long.toString(id);
      // PartitionByMod
      int part = BigInteger.valueOf(id).abs().mod(BigInteger.valueOf(3)).intValue();
      assertThat(node(conf, "hotnews", "id", value)).as(value).isEqualTo("node_" + part);
      // PartitionByLong: 256 of 1024 slots, and the rest
      String owner = (id & 1023) < 256 ? "node_0" : "node_2";
      assertThat(node(conf, "customer", "id", value)).as(value).isEqualTo(owner);
      assertThat(node(conf, "orders", "customer_id", value)).as(value).isEqualTo(owner);
    }
    assertThat(node(conf, "travelrecord", "id", "0")).isEqualTo("node_0");
    assertThat(node(conf, "travelrecord", "id", "5000000")).isEqualTo("node_0");
    assertThat(node(conf, "travelrecord", "id", "5000001")).isEqualTo("node_1");
    assertThat(node(conf, "travelrecord", "id", "15000000")).isEqualTo("node_2");
    assertThat(node(conf, "employee", "sharding_id", "10000")).isEqualTo("node_0");
    assertThat(node(conf, "employee", "sharding_id", "10010")).isEqualTo("node_1");
    assertThat(run("route", "-c", conf, "-D", "TESTDB", "INSERT INTO ticket (id) VALUES (5)").out)
        .contains("node_0  INSERT INTO ticket_3 ");
    // what Mycat refuses is refused
    assertThat(
            run(
                    "route",
                    "-c",
                    conf,
                    "-D",
                    "TESTDB",
                    "INSERT INTO employee (sharding_id) VALUES (7)")
                .err)
        .contains("no node of table");
  }

  @Test
  void whatMycatHasAloneIsTold() {
    Outcome converted =
        run("convert", "mycat", SAMPLES.resolve("mycat"), temporary.resolve("told"));
    assertThat(converted.out.lines().filter(line -> line.startsWith("not converted: ")))
        .anySatisfy(line -> assertThat(line).contains("schema.xml:5", "sqlMaxLimit"))
        .anySatisfy(line -> assertThat(line).contains("schema.xml:10", "hotnews, autoIncrement"))
        .anySatisfy(
            line -> assertThat(line).contains("childTable order_items", "sharded by customer_id"))
        .anySatisfy(line -> assertThat(line).contains("table log", "PartitionByHotDate"))
        .anySatisfy(line -> assertThat(line).contains("writeHost hostS1", "the primary is one"))
        .anySatisfy(line -> assertThat(line).contains("dbType oracle is not MySQL"))
        .anySatisfy(line -> assertThat(line).contains("dataNode dn10"))
        .anySatisfy(line -> assertThat(line).contains("server.xml", "firewall"))
        .anySatisfy(line -> assertThat(line).contains("managerPort"))
        .anySatisfy(line -> assertThat(line).contains("rights on TESTDB.company"))
        .hasSize(11);
  }

  @Test
  void proxySqlsTablesAreConvertedFromADump() throws IOException {
    Path conf = temporary.resolve("from-proxysql");
    Outcome converted = run("convert", "proxysql", SAMPLES.resolve("proxysql/dump.sql"), conf);
    assertThat(converted.err).isEmpty();
    assertThat(run("check", conf).out).contains("1 database, 2 users");
    assertThat(conf.resolve("database-shop.yaml"))
        .content()
        .contains(
            "primary: { url: \"jdbc:mysql://db-a:3306/shop\", username: job, password: \"job-secret\", maxPoolSize: 200 }",
            "replica_0: { url: \"jdbc:mysql://db-b:3306/shop?sslMode=REQUIRED\"",
            "replica_1: { url: \"jdbc:mysql://db-c:3307/shop\"",
            "maxReplicationLagMilliseconds: 10000",
            "discovery: { type: REPLICATION }",
            "{ replica_0: 3, replica_1: 1 }")
        .doesNotContain("replica_2", "db-d");
    assertThat(conf.resolve("global.yaml"))
        .content()
        .contains("\"*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19\"", "maxConnections: 500")
        .doesNotContain("gone");
    assertThat(converted.out.lines().filter(line -> line.startsWith("not converted: ")))
        .anySatisfy(line -> assertThat(line).contains("dump.sql:14", "rule 3", "see rewrite in"))
        .anySatisfy(
            line ->
                assertThat(line).contains("rule 4", "see cacheMilliseconds in docs/query-rules.md"))
        .anySatisfy(line -> assertThat(line).contains("db-d:3306", "OFFLINE_SOFT"))
        .anySatisfy(line -> assertThat(line).contains("user gone", "not active"))
        .anySatisfy(line -> assertThat(line).contains("user job, transaction_persistent 0"))
        .anySatisfy(line -> assertThat(line).contains("table scheduler"))
        .anySatisfy(line -> assertThat(line).contains("account for the servers", "job is taken"))
        .noneSatisfy(line -> assertThat(line).contains("rule 1 "))
        .noneSatisfy(line -> assertThat(line).contains("rule 2 "));
  }

  @Test
  void proxySqlsTablesAreConvertedFromItsFile() throws IOException {
    Path conf = temporary.resolve("from-cnf");
    Path cnf = SAMPLES.resolve("proxysql/proxysql.cnf");
    Outcome converted = run("convert", "proxysql", "--database", "shop", cnf, conf);
    assertThat(converted.err).isEmpty();
    assertThat(run("check", conf).exitCode).isZero();
    assertThat(conf.resolve("database-shop.yaml"))
        .content()
        .contains(
            "127.0.0.1:3306/shop", "127.0.0.2:3307/shop", "username: web", "maxPoolSize: 100");
  }

  @Test
  void noPasswordThatServersTakeIsAFileToFill() throws IOException {
    Path dump = temporary.resolve("hashes.sql");
    Files.writeString(
        dump,
        """
        INSERT INTO mysql_servers(hostgroup_id,hostname) VALUES(0,'a');
        INSERT INTO mysql_users(username,password,default_schema) VALUES('u','*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19','s');
        """);
    Path conf = temporary.resolve("hashes");
    assertThat(run("convert", "proxysql", dump, conf).out).contains("passwords for the servers");
    assertThat(conf.resolve("backend-password")).hasContent("change-me");
    assertThat(conf.resolve("database-s.yaml")).content().contains("\"${file:backend-password}\"");
    assertThat(run("check", conf).exitCode).isZero();
  }

  @Test
  void entitiesOfXmlAreNotRead() throws IOException {
    Path secret = Files.writeString(temporary.resolve("secret"), "the-secret");
    Path folder = Files.createDirectory(temporary.resolve("hostile"));
    Files.writeString(
        folder.resolve("schema.xml"),
        "<!DOCTYPE s [<!ENTITY e SYSTEM \""
            + secret.toUri()
            + "\">]><s><schema name=\"x\">&e;</schema></s>");
    Outcome converted = run("convert", "mycat", folder, temporary.resolve("out"));
    assertThat(converted.out + converted.err).doesNotContain("the-secret");
    assertThat(converted.exitCode).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    Path target = temporary.resolve("nothing");
    assertThat(run("convert", "mycat", temporary, target).err).contains("schema.xml");
    assertThat(run("convert", "proxysql", temporary.resolve("x"), target).err)
        .contains("x cannot be read");
    Path broken = Files.writeString(temporary.resolve("broken"), "mysql_servers = ( { port=1 ");
    assertThat(run("convert", "proxysql", broken, target).err).contains("ends in the middle");
    assertThat(target).doesNotExist();
    Path full = Files.createDirectory(temporary.resolve("full"));
    Files.writeString(full.resolve("global.yaml"), "mine");
    assertThat(run("convert", "mycat", SAMPLES.resolve("mycat"), full).err)
        .contains("is not empty");
    assertThat(full.resolve("global.yaml")).hasContent("mine");
    assertThat(run("convert", "oneproxy", temporary, target).exitCode).isEqualTo(2);
  }
}
