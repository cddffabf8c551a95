package io.anabranch.backend.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.rules.plan.NameMapping;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NameRewriterTest {

  private final NameRewriter rewriter =
      Objects.requireNonNull(
          NameRewriter.of(new NameMapping("shop", Map.of("t_order_3", "t_order")), "ds_0"));

  @Test
  void nothingToDoIsNull() {
    assertThat(NameRewriter.of(NameMapping.ofSchema("ds_0"), "ds_0")).isNull();
    assertThat(NameRewriter.of(NameMapping.ofSchema(""), "ds_0")).isNull();
  }

  @Test
  void definitionsAreRenamed() {
    ColumnDefinition renamed = rewriter.rename(column("ds_0", "t_order", "t_order_3"));
    assertThat(renamed.schema()).isEqualTo("shop");
    assertThat(renamed.table()).isEqualTo("t_order");
    assertThat(renamed.orgTable()).isEqualTo("t_order");
  }

  @Test
  void otherSchemasAndExpressionsStay() {
    ColumnDefinition foreign = column("mysql", "t_order_3", "t_order_3");
    assertThat(rewriter.rename(foreign)).isSameAs(foreign);
    ColumnDefinition expression = column("", "", "");
    assertThat(rewriter.rename(expression)).isSameAs(expression);
  }

  private static ColumnDefinition column(String schema, String table, String orgTable) {
    return new ColumnDefinition(schema, table, orgTable, "id", "id", 63, 11, 3, 0, 0);
  }

  @Test
  void errorsNameLogicalTables() {
    assertThat(rewriter.rename("Table 'ds_0.t_order_3' doesn't exist"))
        .isEqualTo("Table 'shop.t_order' doesn't exist");
    assertThat(
            rewriter.rename(
                "Cannot add or update a child row: a foreign key constraint fails"
                    + " (`ds_0`.`t_order_3`, CONSTRAINT `c` FOREIGN KEY (`x`))"))
        .contains("(`shop`.`t_order`, CONSTRAINT `c`");
    assertThat(rewriter.rename("Duplicate entry '5' for key 't_order_3.PRIMARY'"))
        .isEqualTo("Duplicate entry '5' for key 't_order.PRIMARY'");
    assertThat(rewriter.rename("Unknown column 't_order_30' in t_order_3"))
        .isEqualTo("Unknown column 't_order_30' in t_order_3");
  }
}
