package io.anabranch.rules.right;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT, insert ON shop.* | SELECT, INSERT ON `shop`.*",
        "GRANT Create  View ON `a.b`.`t ``x` | CREATE VIEW ON `a.b`.`t ``x`",
        "READ ON *.* | SELECT, SHOW VIEW ON *.*",
        "READ, WRITE ON shop.orders | SELECT, INSERT, UPDATE, DELETE, SHOW VIEW ON `shop`.`orders`",
        "ALL ON shop.* | ALL PRIVILEGES ON `shop`.*",
      })
  void areWrittenAsMySqlDoes(String text, String shown) throws GrantSyntaxException {
    assertThat(GrantText.parse(text)).hasToString(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT shop.* | is no grant",
        "SELECT ON shop | is no grant",
        "SELEKT ON shop.* | no privilege `SELEKT`",
        "SELECT ON *.orders | of all databases",
      })
  void sayWhatIsWrong(String text, String reason) {
    assertThatThrownBy(() -> GrantText.parse(text))
        .isInstanceOf(GrantSyntaxException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void areOfTablesAndOfDatabases() throws GrantSyntaxException {
    var grants =
        Grants.of(List.of(GrantText.parse("READ ON shop.*"), GrantText.parse("ALL ON shop.cart")));
    assertThat(grants.allow(Privilege.SELECT, "SHOP", "orders")).isTrue();
    assertThat(grants.allow(Privilege.INSERT, "shop", "orders")).isFalse();
    assertThat(grants.allow(Privilege.INSERT, "shop", "cart")).isTrue();
    assertThat(grants.allow(Privilege.INSERT, "shop", "CART")).isFalse();
    assertThat(grants.allow(Privilege.LOCK_TABLES, "shop")).isFalse();
    assertThat(grants.reach("crm")).isFalse();
    assertThat(grants.tables(Privilege.OF_TABLES, "shop")).containsExactly("cart");
  }
}
