package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.model.shadow.ShadowRule;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.routing.TestTables;
import io.anabranch.rules.task.PlanScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Statements over encrypted columns with their plans in {@code plans/encrypt.txt}: {@code > } over
 * a sharded table, {@code >> } in a pass-through database. Written anew as {@link GoldenPlanTest}
 * is.
 */
class EncryptPlanTest {

  private static final List<String> COLUMNS =
      List.of("id", "name_cipher", "name_hash", "name_like", "kind");

  private final LogicalDatabase sharded = database("sharded", true);
  private final LogicalDatabase plain = database("plain", false);
  private final FakeCatalog catalog =
      new FakeCatalog(
          Map.of(
              "ds_0",
              Map.of(
                  "t_user",
                  COLUMNS,
                  "t_user_0",
                  COLUMNS,
                  "t_user_1",
                  COLUMNS,
                  "t_user_2",
                  COLUMNS,
                  "t_user_3",
                  COLUMNS,
                  "t_other",
                  List.of("id", "city"))));
  private final StatementPlanner planner =
      new StatementPlanner(
          new RuleSet(
              1,
              Map.of("sharded", sharded, "plain", plain),
              new Authority(List.of(), true, Map.of()),
              ProxyProperties.DEFAULTS,
              TransactionSettings.DEFAULTS),
          database -> catalog);

  private static LogicalDatabase database(String name, boolean isSharded) {
    var catalogue = new EncryptorCatalogue(List.of());
    Encryptor aes = catalogue.encryptor("AES", Map.of("aes-key-value", "test"));
    Encryptor md5 = catalogue.encryptor("MD5", Map.of());
    Encryptor like = catalogue.encryptor("CHAR_DIGEST_LIKE", Map.of());
    var column =
        new EncryptedColumn(
            "name",
            new Stored("name_cipher", aes),
            new Stored("name_hash", md5),
            new Stored("name_like", like));
    ShardedTable table = TestTables.oneLevel("t_user", 1, 4);
    return new LogicalDatabase(
        name,
        Map.of(
            "ds_0",
            new DataSourceDefinition(
                "ds_0", "jdbc:mariadb://h/x", "u", "p", 1, 1, 1, 1, 1, false, Map.of())),
        Map.of(),
        isSharded ? Map.of("t_user", table) : Map.of(),
        Map.of(),
        new LogicalDatabase.SingleTables(List.of("*.*"), null),
        LogicalDatabase.KeyPolicy.DEFAULTS,
        LogicalDatabase.Creation.NONE,
        new EncryptRule(Map.of("t_user", new EncryptedTable("t_user", List.of(column))), "digest"),
        Masks.NONE,
        ShadowRule.NONE);
  }

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  private StatementPlan plan(String sql, LogicalDatabase database) {
    return planner.plan(scan(sql), new PlanScope(database, UTF_8, false, false));
  }

  @Test
  void plansAsWritten() throws IOException {
    Path file = Path.of("src/test/resources/plans/encrypt.txt");
    String expected = Files.readString(file, UTF_8);
    String actual =
        expected
            .lines()
            .filter(line -> line.startsWith(">") || line.startsWith("#"))
            .map(line -> line.startsWith("#") ? line + "\n" : planned(line))
            .collect(Collectors.joining("\n"));
    if (System.getenv("GOLDEN_WRITE") != null) {
      Files.writeString(file, actual, UTF_8);
    }
    assertThat(actual).isEqualTo(expected);
  }

  private String planned(String line) {
    boolean isPlain = line.startsWith(">> ");
    String sql = line.substring(isPlain ? 3 : 2);
    try {
      StatementPlan plan = plan(sql, isPlain ? plain : sharded);
      return line
          + "\n"
          + PlanPrinter.print(
              plan.bind(new TextSlotValues().over(scan(sql), UTF_8, LexerMode.DEFAULT)));
    } catch (RefusedException refused) {
      return line + "\nrefused " + refused.errno() + " " + refused.getMessage() + "\n";
    }
  }

  /** A value would be stored as it is, where the column were taken for that of the other table. */
  @Test
  void aliasesThatDifferInCaseAloneAreRefusedWhereServersTellThem() {
    String sql = "UPDATE t_other A JOIN t_user a ON a.id = A.id SET a.name = 'x'";
    catalog.telling.add("ds_0");
    assertThatThrownBy(() -> plan(sql, plain))
        .hasMessageContaining("AB2002")
        .hasMessageContaining("differ in case alone");
    assertThat(plan("SELECT b.city FROM t_other b JOIN t_user B2 ON B2.id = b.id", plain))
        .isNotNull();
  }

  /** Where servers tell case, only a table by the very name is hidden. */
  @Test
  void aTemporaryTableHidesWhatServersTakeForTheSame() {
    for (LogicalDatabase database : List.of(sharded, plain)) {
      for (boolean isTold : List.of(false, true)) {
        catalog.telling.clear();
        catalog.telling.addAll(isTold ? List.of("ds_0") : List.of());
        assertThatThrownBy(() -> selected(database, "t_user"))
            .hasMessageContaining("a temporary table of the same name");
        if (isTold) {
          assertThat(selected(database, "T_USER").sendsOthers()).isTrue();
        } else {
          assertThatThrownBy(() -> selected(database, "T_USER"))
              .hasMessageContaining("a temporary table of the same name");
        }
      }
    }
  }

  private StatementPlan selected(LogicalDatabase database, String temporary) {
    var schema = new TableSchema(temporary, List.of(new Column("id", "int", null, true, false)));
    var own = TemporaryTables.NONE.with(temporary, new TemporaryTables.Table("ds_0", schema));
    PlanScope scope = new PlanScope(database, UTF_8, false, false).having(own);
    return planner.plan(scan("SELECT id FROM t_user WHERE name = 'x'"), scope);
  }

  @Test
  void sendsOneParameterInEachForm() {
    String sql = "UPDATE t_user SET name = ?, kind = ? WHERE name = ?";
    StatementPlan plan = plan(sql, plain);
    var values = new PreparedSlotValues(scan(sql), UTF_8, LexerMode.DEFAULT);
    values.bind(
        new PreparedSlotValues.Parameters() {
          @Override
          public int type(int parameter) {
            return 253;
          }

          @Override
          public byte[] value(int parameter) {
            return new byte[] {4, 't', 'e', 's', 't'};
          }
        });
    assertThat(plan.sendsOthers()).isTrue();
    assertThat(plan.sent(values))
        .containsExactly(
            new SentValue(0, true, "dSpPiyENQGDUXMKFMJPGWA=="),
            new SentValue(0, true, "098f6bcd4621d373cade4e832627b4f6"),
            new SentValue(0, true, "udtu"),
            new SentValue(1, false, null),
            new SentValue(2, true, "098f6bcd4621d373cade4e832627b4f6"));
    assertThat(PlanPrinter.print(plan.bind(values)))
        .contains("`name_cipher` = ?, `name_hash` = ?, `name_like` = ?, kind = ?")
        .contains("[0, 1, 2, 3, 4]")
        .doesNotContain("test");
  }

  /** A database that is asked whether it can read a statement gets no value of it. */
  @Test
  void noValueIsInAQuestionAboutSyntax() {
    for (String sql :
        List.of(
            "SELECT id FROM t_user WHERE name = = 'a secret' /* a secret */",
            "SELECT id FROM t_nowhere WHERE name = 'a secret' AND kind < 77001 AND id IN (0x77001F)",
            "INSERT INTO t_nowhere (name) VALUES (N'a secret'), (x'77001F'), (77.001)",
            "REPLACE INTO t_user VALUES ROW('a secret') nonsense",
            "UPDATE t_user SET name = 'a secret' WHERE id ORDER 77001",
            "DELETE FROM t_user WHERE nonsense nonsense name = 'a secret' 'of 77001'")) {
      int before = catalog.described.size();
      Throwable refused = catchThrowable(() -> plan(sql, sharded).bind(values(sql)));
      assertThat(catalog.described.subList(before, catalog.described.size()))
          .as("%s", refused)
          .allSatisfy(asked -> assertThat(asked).doesNotContain("secret", "7700", "77.0"));
    }
    assertThat(catalog.described).isNotEmpty();
  }

  private static SlotValues values(String sql) {
    return new TextSlotValues().over(scan(sql), UTF_8, LexerMode.DEFAULT);
  }

  @Test
  void keepsNoPlainValueInAPlan() {
    String sql = "SELECT id FROM t_user WHERE name = 'very plain'";
    assertThat(plan(sql, plain).toString()).doesNotContain("very plain");
    assertThat(plan(sql, sharded).toString()).doesNotContain("very plain");
  }

  @Test
  void plansWhatItDoesNotConcernAsEver() {
    assertThat(plan("SELECT id FROM t_other WHERE city = 'x'", plain).sendsOthers()).isFalse();
    assertThat(plan("SELECT id FROM t_other WHERE city = 'x'", sharded).sendsOthers()).isFalse();
  }
}
