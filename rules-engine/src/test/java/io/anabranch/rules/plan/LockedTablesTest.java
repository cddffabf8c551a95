package io.anabranch.rules.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LockedTablesTest {

  @Test
  void admitsOtherCasesWhereTheyAreTheSameTable() {
    var locks = new LockedTables("shop", Map.of("x", "t"), false);
    assertThat(locks.admit("SHOP", "X", "T")).isTrue();
    assertThat(locks.renamed("T", "U").admit("shop", "u", "u")).isTrue();
  }

  @Test
  void tellsThemApartWhereServersDo() {
    var locks = new LockedTables("shop", Map.of("x", "t"), true);
    assertThat(locks.admit("shop", "x", "t")).isTrue();
    assertThat(locks.admit("shop", "X", "t")).isFalse();
    assertThat(locks.admit("shop", "x", "T")).isFalse();
    assertThat(locks.renamed("T", "U")).isEqualTo(locks);
    assertThat(locks.renamed("t", "U").admit("shop", "U", "U")).isTrue();
    assertThat(locks.renamed("t", "U").admit("shop", "u", "u")).isFalse();
  }
}
