package io.anabranch.frontend.administration.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.administration.conversion.Conversion;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** DistSQL's statements on encrypted and masked columns and shadows, as texts of files. */
class FeatureDefinitionTest {

  private static final ConfigurationDocument EMPTY =
      ConfigurationDocument.of("database-shop.yaml", "databaseName: shop\nrules: [] # none\n");

  private static List<Clause> clauses(String text) {
    SqlTokens tokens = SqlTokens.of(text);
    return ClauseParser.parse(tokens, LexerMode.DEFAULT, 0, tokens.size());
  }

  private static final String PERSON =
      """
      t_person (COLUMNS(
        (NAME = phone, CIPHER = phone_c, ENCRYPT_ALGORITHM(TYPE(NAME = 'aes', PROPERTIES('aes-key-value' = 'k1'))),
         ASSISTED_QUERY = phone_a, ASSISTED_QUERY_ALGORITHM(TYPE(NAME = 'md5'))),
        (NAME = mail, CIPHER = mail_c, ENCRYPT_ALGORITHM = shared,
         LIKE_QUERY = mail_l, LIKE_QUERY_ALGORITHM(TYPE(NAME = 'char_digest_like')))))""";

  @Test
  void encryptedColumns() {
    ConfigurationDocument made = ColumnDefinition.ENCRYPT.create(EMPTY, clauses(PERSON), false);
    Mapping rule = made.rule("ENCRYPT");
    Mapping columns = rule.mapping("tables").mapping("t_person").mapping("columns");
    assertThat(columns.entries().keySet()).containsExactly("phone", "mail");
    assertThat(columns.mapping("phone").mapping("cipher").shown("name")).isEqualTo("phone_c");
    assertThat(columns.mapping("phone").mapping("assistedQuery").shown("encryptorName"))
        .isEqualTo("t_person_phone_md5");
    assertThat(columns.mapping("mail").mapping("cipher").shown("encryptorName"))
        .isEqualTo("shared");
    assertThat(rule.mapping("encryptors").entries().keySet())
        .containsExactly(
            "t_person_phone_aes", "t_person_phone_md5", "t_person_mail_char_digest_like");
    assertThat(made.text()).contains("# none");

    assertThat(ColumnDefinition.ENCRYPT.create(made, clauses(PERSON), true)).isSameAs(made);
    assertRefused(
        () -> ColumnDefinition.ENCRYPT.create(made, clauses(PERSON), false),
        "the table `t_person` has encrypted columns already");

    ConfigurationDocument altered =
        ColumnDefinition.ENCRYPT.alter(
            made,
            clauses(
                "T_PERSON (COLUMNS((NAME = phone, CIPHER = phone_c,"
                    + " ENCRYPT_ALGORITHM(TYPE(NAME = 'aes', PROPERTIES('aes-key-value' = 'k2'))))))"));
    assertThat(altered.rule("ENCRYPT").mapping("encryptors").entries().keySet())
        .containsExactly("t_person_phone_aes");
    assertThat(altered.text()).contains("k2").doesNotContain("k1", "mail");
    assertThat(ColumnDefinition.ENCRYPT.drop(altered, List.of("t_person"), false).rule("ENCRYPT"))
        .isEqualTo(Mapping.EMPTY);
    assertThat(ColumnDefinition.ENCRYPT.drop(altered, List.of("t_none"), true)).isSameAs(altered);
    assertRefused(
        () -> ColumnDefinition.ENCRYPT.drop(altered, List.of("t_none"), false),
        "there is no table `t_none` with encrypted columns");
  }

  @Test
  void whatIsMissingInColumnsIsNamed() {
    for (List<String> each :
        List.of(
            List.of("t (x)", "has no part x; there is `COLUMNS`"),
            List.of("t (COLUMNS((CIPHER = c)))", "needs NAME"),
            List.of("t (COLUMNS((NAME = a, ENCRYPT_ALGORITHM = x)))", "`a` needs CIPHER"),
            List.of("t (COLUMNS((NAME = a, CIPHER = c)))", "`a` needs ENCRYPT_ALGORITHM"),
            List.of(
                "t (COLUMNS((NAME = a, CIPHER = c, ENCRYPT_ALGORITHM = x, LIKE_QUERY = l)))",
                "`a` needs LIKE_QUERY_ALGORITHM"),
            List.of(
                "t (COLUMNS((NAME = a, CIPHER = c, ENCRYPT_ALGORITHM = x, ASSISTED_QUERY_ALGORITHM ="
                    + " y)))",
                "`a` needs ASSISTED_QUERY"),
            List.of(
                "t (COLUMNS((NAME = a, CIPHR = c)))",
                "has no part CIPHR; did you mean `CIPHER`?"))) {
      assertRefused(
          () -> ColumnDefinition.ENCRYPT.create(EMPTY, clauses(each.get(0)), false), each.get(1));
    }
    assertRefused(
        () -> ColumnDefinition.MASK.create(EMPTY, clauses("t (COLUMNS((NAME = a)))"), false),
        "`a` needs MASK_ALGORITHM");
    assertRefused(
        () ->
            ColumnDefinition.MASK.create(
                EMPTY,
                clauses(
                    "t (COLUMNS((NAME = a, MASK_ALGORITHM = m), (NAME = a, MASK_ALGORITHM = m)))"),
                false),
        "the column `a` is there twice");
  }

  private static final String ORDERS =
      "tests (SOURCE = ds, SHADOW = ds_test,"
          + " t_order(TYPE(NAME = 'sql_hint'), TYPE(NAME = 'value_match', PROPERTIES('column' = 'user_id',"
          + " 'operation' = 'insert', 'value' = 1))), t_item(TYPE(NAME = 'sql_hint')))";

  @Test
  void shadows() {
    ConfigurationDocument made = ShadowDefinition.create(EMPTY, clauses(ORDERS), false);
    Mapping rule = made.rule("SHADOW");
    assertThat(rule.mapping("dataSources").mapping("tests").shown("shadowDataSourceName"))
        .isEqualTo("ds_test");
    assertThat(rule.mapping("tables").mapping("t_order").texts("shadowAlgorithmNames"))
        .containsExactly("t_order_sql_hint", "t_order_value_match");

    ConfigurationDocument two =
        ShadowDefinition.create(
            made,
            clauses(
                "more (SOURCE = ds_2, SHADOW = test_2, t_order(SHADOW_ALGORITHMS(t_item_sql_hint)))"),
            false);
    Mapping order = two.rule("SHADOW").mapping("tables").mapping("t_order");
    assertThat(order.texts("dataSourceNames")).containsExactly("tests", "more");
    assertThat(order.texts("shadowAlgorithmNames")).containsExactly("t_item_sql_hint");
    assertThat(two.rule("SHADOW").mapping("shadowAlgorithms").entries().keySet())
        .containsExactly("t_item_sql_hint");

    ConfigurationDocument altered =
        ShadowDefinition.alter(
            two, clauses("TESTS (SOURCE = ds, SHADOW = ds_test, t_new(TYPE(NAME = 'sql_hint')))"));
    Mapping tables = altered.rule("SHADOW").mapping("tables");
    assertThat(tables.entries().keySet()).containsExactly("t_order", "t_new");
    assertThat(tables.mapping("t_order").texts("dataSourceNames")).containsExactly("more");

    ConfigurationDocument standard =
        ShadowDefinition.standard(altered, clauses("TYPE(NAME = 'sql_hint')"), true, false);
    assertThat(standard.rule("SHADOW").shown("defaultShadowAlgorithmName"))
        .isEqualTo("default_shadow_algorithm");
    assertRefused(
        () -> ShadowDefinition.standard(standard, clauses("TYPE(NAME = 'x')"), true, false),
        "there is a default shadow algorithm already");
    assertRefused(
        () -> ShadowDefinition.dropAlgorithms(standard, List.of("default_shadow_algorithm"), false),
        "is in use");
    assertThat(ShadowDefinition.dropStandard(standard, false).rule("SHADOW"))
        .isEqualTo(altered.rule("SHADOW"));
    assertRefused(
        () -> ShadowDefinition.dropStandard(altered, false),
        "there is no default shadow algorithm");

    ConfigurationDocument one = ShadowDefinition.drop(standard, List.of("more"), false);
    assertThat(one.rule("SHADOW").mapping("tables").entries().keySet()).containsExactly("t_new");
    assertThat(ShadowDefinition.drop(one, List.of("tests"), false).text()).isEqualTo(EMPTY.text());
  }

  /** What files say is told as statements that make the same file. */
  @Test
  void filesAreToldAsStatements() {
    ConfigurationDocument made =
        ColumnDefinition.ENCRYPT.create(
            EMPTY,
            clauses(
                PERSON.replace(
                    "ENCRYPT_ALGORITHM = shared", "ENCRYPT_ALGORITHM(TYPE(NAME = 'aes'))")),
            false);
    made =
        ColumnDefinition.MASK.create(
            made,
            clauses(
                "t_person (COLUMNS((NAME = name, TYPE(NAME = 'md5', PROPERTIES('salt' = 's')))))"),
            false);
    made = ShadowDefinition.create(made, clauses(ORDERS), false);
    made = ShadowDefinition.standard(made, clauses("TYPE(NAME = 'sql_hint')"), true, false);
    List<String> told = Conversion.of(made, false);
    assertThat(told).hasSize(6).noneMatch(line -> line.startsWith("--"));

    ConfigurationDocument again = EMPTY;
    for (String statement : told) {
      again = applied(again, statement.substring(0, statement.length() - 1));
    }
    assertThat(told.toString()).doesNotContain("k1");
    assertThat(Conversion.of(again, false)).isEqualTo(told);
    assertThat(again.rule("SHADOW")).isEqualTo(made.rule("SHADOW"));
  }

  private static ConfigurationDocument applied(ConfigurationDocument document, String statement) {
    UnaryOperator<String> behind = words -> statement.substring(words.length());
    if (statement.startsWith("CREATE ENCRYPT RULE")) {
      return ColumnDefinition.ENCRYPT.create(
          document, clauses(behind.apply("CREATE ENCRYPT RULE")), false);
    }
    if (statement.startsWith("CREATE MASK RULE")) {
      return ColumnDefinition.MASK.create(
          document, clauses(behind.apply("CREATE MASK RULE")), false);
    }
    if (statement.startsWith("CREATE SHADOW RULE")) {
      return ShadowDefinition.create(document, clauses(behind.apply("CREATE SHADOW RULE")), false);
    }
    if (statement.startsWith("CREATE DEFAULT SHADOW ALGORITHM")) {
      return ShadowDefinition.standard(
          document, clauses(behind.apply("CREATE DEFAULT SHADOW ALGORITHM")), true, false);
    }
    assertThat(statement).isIn("CREATE DATABASE IF NOT EXISTS shop", "USE shop");
    return document;
  }

  private static void assertRefused(Runnable change, String reason) {
    assertThatThrownBy(change::run)
        .isInstanceOfSatisfying(
            ConfigurationRefusedException.class,
            refused -> assertThat(refused.problems().toString()).contains(reason));
  }
}
