package io.anabranch.rules.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.protection.RuleMask;
import io.anabranch.rules.plan.PlanRules;
import io.anabranch.rules.task.StatementHints;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rules a statement may meet, by its text. */
class RuleMatchingTest {

  private static RuleSet configuration(String rules) {
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText(
                    "global.yaml",
                    "authority: { users: [{ user: app, password: a }] }\nqueryRules:\n" + rules),
                new ConfigurationText(
                    "database-shop.yaml",
                    """
                    databaseName: Shop
                    dataSources:
                      ds_0: { url: "jdbc:mysql://127.0.0.1:3306/shop" }
                    rules: []
                    """),
                new ConfigurationText(
                    "database-other.yaml",
                    """
                    databaseName: other
                    dataSources:
                      ds_1: { url: "jdbc:mysql://127.0.0.1:3306/other" }
                    rules: []
                    """)))
        .ruleSet();
  }

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  private static PlanRules rules(String sql, String rules) {
    RuleSet configuration = configuration(rules);
    Scan scan = scan(sql);
    return new RuleMatching(
            Objects.requireNonNull(configuration.databases().get("shop")),
            scan.kind(),
            SourceText.of(scan, UTF_8, LexerMode.DEFAULT).tokens(),
            scan.copyNormalForm(),
            UTF_8,
            false,
            StatementHints.of(scan, UTF_8))
        .of(configuration.protection().rules());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT * FROM Orders WHERE a = 1 | tables: [orders] | true",
        "SELECT * FROM items i JOIN `orders` o ON i.a = o.a | tables: [orders] | true",
        "SELECT orders FROM items | tables: [orders] | false",
        "SELECT * FROM x WHERE a IN (SELECT a FROM orders) | tables: [orders] | true",
        "WITH orders AS (SELECT 1) SELECT * FROM orders | tables: [orders] | false",
        "UPDATE orders SET a = 1 | tables: [shop.orders] | true",
        "UPDATE other.orders SET a = 1 | tables: [shop.orders] | false",
        "UPDATE other.orders SET a = 1 | tables: [other.orders] | true",
        "TRUNCATE TABLE orders | tables: [orders] | true",
        "DROP TABLE a, orders | tables: [orders] | true",
        "SHOW CREATE TABLE orders | tables: [orders] | true",
        "SELECT /*!50000 1 */ FROM orders | tables: [orders] | true",
        "SELECT 1 | databases: [shop] | true",
        "SELECT 1 | databases: [other] | false",
        "SELECT a FROM t WHERE b = 5 | digestPattern: 'WHERE b = \\?' | true",
        "select a from t where b = 5 | digestPattern: '^SELECT a FROM t WHERE b = \\?$' | true",
        "SELECT a FROM t WHERE c = 5 | digestPattern: 'b =' | false",
        "/* ANABRANCH_HINT: class=batch */ SELECT 1 | hints: { class: batch } | true",
        "/* SHARDINGSPHERE_HINT: CLASS=batch */ SELECT 1 | hints: { class: batch } | true",
        "/* ANABRANCH_HINT: class=web */ SELECT 1 | hints: { class: batch } | false",
        "/* ANABRANCH_HINT: class=web */ SELECT 1 | hints: { class: } | true",
        "SELECT 1 | hints: { class: } | false",
        "DELETE FROM t | { withoutWhere: true, kinds: [DELETE] } | true",
        "DELETE FROM t | { withoutWhere: true, kinds: [UPDATE] } | false",
        "SELECT 1 | users: [app] | true",
        "SELECT 1 | networks: [10.0.0.0/8] | true",
        "SELECT 1 | pattern: 'never in it' | true",
        "SELECT 1 | dataSourcesAbove: 7 | true"
      })
  void whatTheTextDecides(String sql, String match, boolean expected) {
    String mapping = match.startsWith("{") ? match : "{ " + match + " }";
    PlanRules met = rules(sql, "- { name: a, match: " + mapping + ", log: true }");
    assertThat(met.rules().isEmpty()).isEqualTo(!expected);
  }

  @Test
  void digestsAreThoseOfStatistics() {
    String digest =
        DigestText.hash(
            DigestText.digest(scan("SELECT a FROM t WHERE b = 1").copyNormalForm(), UTF_8, false));
    String rule = "- { name: a, match: { digests: [" + digest + "] }, log: true }";
    assertThat(rules("select a  from t where b = 'x' ", rule).digest()).isEqualTo(digest);
    assertThat(rules("SELECT a FROM t WHERE c = 1", rule)).isEqualTo(PlanRules.NONE);
  }

  @Test
  void aDataSourceOfAnotherDatabaseIsNoWay() {
    assertThat(rules("SELECT 1", "- { name: a, match: {}, route: ds_1 }"))
        .isEqualTo(PlanRules.NONE);
    assertThat(rules("SELECT 1", "- { name: a, match: {}, route: ds_0 }").rules())
        .isEqualTo(RuleMask.of(1, _ -> true));
  }

  @Test
  void manyRulesThatDoNotConcernItAreNone() {
    var rules = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      rules.append("- { name: r%d, match: { tables: [t%d] }, log: true }\n".formatted(i, i));
    }
    assertThat(rules("SELECT * FROM u", rules.toString())).isEqualTo(PlanRules.NONE);
    RuleMask met = rules("SELECT * FROM t3, t150", rules.toString()).rules();
    RuleMask all = RuleMask.of(200, _ -> true);
    assertThat(met.next(all, 0)).isEqualTo(3);
    assertThat(met.next(all, 4)).isEqualTo(150);
    assertThat(met.next(all, 151)).isEqualTo(-1);
    assertThat(met.next(RuleMask.of(100, _ -> true), 4)).isEqualTo(-1);
    assertThat(met.or(RuleMask.of(1, _ -> true)).next(all, 0)).isZero();
    assertThat(RuleMask.NONE.or(met)).isEqualTo(met);
  }
}
