package io.anabranch.backend.relay.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.plan.NameMapping;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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
    assertCopied(column("ds_0", "t_order", "t_order_3"), column("shop", "t_order", "t_order"));
    assertCopied(column("ds_0", "o", "t_order_3"), column("shop", "o", "t_order"));
    assertCopied(
        column("ds_0", "t_order_30", "t_order_30"), column("shop", "t_order_30", "t_order_30"));
  }

  @Test
  void otherSchemasAndExpressionsStay() {
    assertCopied(
        column("mysql", "t_order_3", "t_order_3"), column("mysql", "t_order_3", "t_order_3"));
    assertCopied(column("", "", ""), column("", "", ""));
    assertCopied(column("ds_0", "", ""), column("shop", "", ""));
  }

  @Test
  void tablesOfDerivedColumnsHaveNoSchema() {
    assertCopied(column("", "t_order_3", ""), column("", "t_order", ""));
    assertCopied(column("", "d", "t_order_3"), column("", "d", "t_order"));
  }

  @Test
  void longNamesAreCopiedToo() {
    String alias = "ä".repeat(256);
    assertCopied(column("ds_0", alias, "t_order_3"), column("shop", alias, "t_order"));
  }

  @Test
  void brokenDefinitionsAreRefused() {
    var whole = Unpooled.buffer();
    column("ds_0", "o", "t_order_3").encode(whole, 0, StandardCharsets.UTF_8);
    for (int length = 0; length < 17; length++) {
      ByteBuf in = whole.copy(0, length);
      assertThatThrownBy(() -> new DefinitionCopy(rewriter, 0, 0).copy(in, Unpooled.buffer()))
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  private void assertCopied(ColumnDefinition from, ColumnDefinition to) {
    long[] forms = {0, Capability.MARIADB_EXTENDED_METADATA};
    for (long backend : forms) {
      for (long client : forms) {
        ByteBuf in = Unpooled.buffer();
        from.encode(in, backend, StandardCharsets.UTF_8);
        ByteBuf expected = Unpooled.buffer();
        to.encode(expected, client, StandardCharsets.UTF_8);
        ByteBuf out = Unpooled.buffer();
        new DefinitionCopy(rewriter, backend, client).copy(in, out);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(ByteBufUtil.hexDump(expected));
        assertThat(in.isReadable()).isFalse();
      }
    }
  }

  @Test
  void manyNamesAreFound() {
    var tables = new HashMap<String, String>();
    for (int i = 0; i < 300; i++) {
      tables.put("tabelle_ä" + i, "logical_" + i % 7);
    }
    var names = new ByteNames(tables);
    tables.forEach(
        (actual, logical) -> {
          byte[] in = ("#" + actual).getBytes(StandardCharsets.UTF_8);
          assertThat(names.get(in, 1, in.length - 1))
              .isEqualTo(logical.getBytes(StandardCharsets.UTF_8));
          assertThat(names.get(in, 0, in.length)).isNull();
        });
    assertThat(new ByteNames(Map.of()).get(new byte[] {1}, 0, 1)).isNull();
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

  /** They are what clients have written, as names as well. */
  @Test
  void valuesInErrorsStay() {
    assertThat(rewriter.rename("Duplicate entry 't_order_3' for key 't_order_3.name'"))
        .isEqualTo("Duplicate entry 't_order_3' for key 't_order.name'");
    assertThat(rewriter.rename("Duplicate entry 'a' for key 't_order_3.b' for key 'name'"))
        .isEqualTo("Duplicate entry 'a' for key 't_order_3.b' for key 'name'");
    assertThat(
            rewriter.rename(
                "Incorrect integer value: 't_order_3' for column `ds_0`.`t_order_3`.`n` at row 1"))
        .isEqualTo("Incorrect integer value: 't_order_3' for column `shop`.`t_order`.`n` at row 1");
    assertThat(rewriter.rename("Incorrect DATE value: 'ds_0.t_order_3'"))
        .isEqualTo("Incorrect DATE value: 'ds_0.t_order_3'");
  }
}
