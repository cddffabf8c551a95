package io.anabranch.rules.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableNamesTest {

  @Test
  void quotesNamesThatMayBeKeywords() {
    assertThat(TableNames.quotedIfNeeded("t_order_3")).isEqualTo("t_order_3");
    assertThat(TableNames.quotedIfNeeded("order")).isEqualTo("`order`");
    assertThat(TableNames.quotedIfNeeded("a`b_1")).isEqualTo("`a``b_1`");
    assertThat(TableNames.quotedIfNeeded("1_2")).isEqualTo("`1_2`");
    assertThat(TableNames.quotedIfNeeded("größe_1")).isEqualTo("`größe_1`");
  }
}
