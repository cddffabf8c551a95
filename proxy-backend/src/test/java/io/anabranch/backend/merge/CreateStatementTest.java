package io.anabranch.backend.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateStatementTest {

  private final CreateStatement statement =
      new CreateStatement(Map.of("t_item_0", "t_item", "t_order_0", "t_order"));

  @ParameterizedTest
  @ValueSource(strings = {"`", "\"", ""})
  void namesTablesAndConstraintsAsTheClientDid(String quote) {
    assertThat(
            named(
                quote,
                """
                CREATE TABLE `t_item_0` (
                  `id` bigint(20) NOT NULL,
                  KEY `fk_order_t_item_0` (`id`),
                  CONSTRAINT `fk_order_t_item_0` FOREIGN KEY (`id`) REFERENCES `t_order_0` (`id`),
                  CONSTRAINT `chk_t_item_0` CHECK (`id` > 0)
                ) ENGINE=InnoDB"""))
        .isEqualTo(
            """
            CREATE TABLE `t_item` (
              `id` bigint(20) NOT NULL,
              KEY `fk_order` (`id`),
              CONSTRAINT `fk_order` FOREIGN KEY (`id`) REFERENCES `t_order` (`id`),
              CONSTRAINT `chk` CHECK (`id` > 0)
            ) ENGINE=InnoDB"""
                .replace("`", quote));
  }

  /** What quotes names have is told by names: texts may have any. */
  @ParameterizedTest
  @ValueSource(strings = {"`", "\""})
  void tellsQuotesByNames(String quote) {
    String other = quote.equals("`") ? "\"" : "`";
    String text = "'it%ss \\' ''%s'".formatted(other, other);
    String head = "CREATE VIEW `v` AS select ".replace("`", quote) + text;
    String tail = " AS `a` from `%s`".replace("`", quote);
    assertThat(statement.logical(head + tail.formatted("t_order_0")))
        .isEqualTo(head + tail.formatted("t_order"));
  }

  @Test
  void readsQuotesInNames() {
    var odd = new CreateStatement(Map.of("t`_0", "t`"));
    assertThat(odd.logical("CREATE TABLE `t``_0` (\n  `id` int\n)"))
        .isEqualTo("CREATE TABLE `t``` (\n  `id` int\n)");
  }

  private String named(String quote, String text) {
    return statement.logical(text.replace("`", quote));
  }

  @Test
  void leavesColumnsIndexesAndCommentsAlone() {
    String others =
        """
         (
          `t_item_0` int(11) COMMENT 'of `t_order_0`',
          KEY `k_t_item_0` (`t_item_0`)
        ) COMMENT='CREATE TABLE `t_item_0`'""";

    assertThat(statement.logical("CREATE TABLE `t_item_0`" + others))
        .isEqualTo("CREATE TABLE `t_item`" + others);
  }

  @Test
  void leavesOtherTablesAlone() {
    assertThat(statement.logical("CREATE TABLE `t_conf` (\n  `t_item_0` int\n)"))
        .isEqualTo("CREATE TABLE `t_conf` (\n  `t_item_0` int\n)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"`", "\"", ""})
  void viewsAreOverLogicalTables(String quote) {
    assertThat(named(quote, "CREATE VIEW `v` AS select `t_item`.`id` from `t_item_0` `t_item`"))
        .isEqualTo("CREATE VIEW `v` AS select `t_item`.`id` from `t_item`".replace("`", quote));
  }
}
