package io.anabranch.rules.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogicalNamesTest {

  private static final NameMapping NAMES =
      new NameMapping("shop", Map.of("t_order_1", "t_order", "t_order_10", "t_order"));

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Table 'ds_0.t_order_1' doesn't exist,     Table 'shop.t_order' doesn't exist",
        "Table 't_order_10' already exists,        Table 't_order' already exists",
        "Table 't_order_11' already exists,        Table 't_order_11' already exists",
        "fails (`ds_0`.`t_order_1` CONSTRAINT `c`), fails (`shop`.`t_order` CONSTRAINT `c`)",
        "CONSTRAINT `ck_t_order_1` failed for,     CONSTRAINT `ck` failed for",
        "Check constraint 'ck_t_order_10' is,      Check constraint 'ck' is",
        "Check constraint 't_order_10_chk_2' is,      Check constraint 't_order_chk_2' is",
        "CONSTRAINT `t_order_10_ibfk_1` FOREIGN,      CONSTRAINT `t_order_ibfk_1` FOREIGN",
        "Table 'old_t_order_1' is another,         Table 'old_t_order_1' is another",
        "t_order_1 and t_order_1,                  t_order and t_order",
        "my_t_order_1 is another,                  my_t_order_1 is another",
        "column 'ds_0.t_order_1.t_order_10' is,    column 'shop.t_order.t_order_10' is",
        "(`ds_0`.`t_order_1`.`t_order_1` = 1),     (`shop`.`t_order`.`t_order_1` = 1)",
        "column 't_order.t_order_1' is,            column 't_order.t_order_1' is",
        "nothing to replace,                       nothing to replace"
      })
  void replacesWholeNames(String actual, String logical) {
    assertThat(LogicalNames.in(actual, NAMES)).isEqualTo(logical);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "FUNCTION ds_0.f does not exist, FUNCTION shop.f does not exist",
        "ds_0.a and ds_0.b, shop.a and shop.b",
        "denied for table `ds_0`.`t`, denied for table `shop`.`t`",
        "my_ds_0.t is another, my_ds_0.t is another",
        "ds_0. Then, ds_0. Then",
        "ds_01.t is another, ds_01.t is another",
        "ends with ds_0, ends with ds_0"
      })
  void replacesTheSchemaWhereItQualifies(String actual, String logical) {
    assertThat(LogicalNames.ofSchema(actual, NAMES, "ds_0")).isEqualTo(logical);
    assertThat(LogicalNames.ofSchema(actual, NAMES, "")).isEqualTo(actual);
  }
}
