package io.anabranch.rules.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As MySQL 9 tells views, and what was written. */
class RollupFormsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select rollup_group_item(`t`.`a`,0) AS `a` from `t` group by `t`.`a` with rollup"
            + "|select `t`.`a` AS `a` from `t` group by `t`.`a` with rollup",
        "select rollup_sum_switcher(sum(`t`.`b`)) AS `s`|select sum(`t`.`b`) AS `s`",
        "select grouping(rollup_group_item((`t`.`a` + 1),0)) AS `g`|select grouping((`t`.`a` + 1)) AS `g`",
        "select ifnull(rollup_group_item(coalesce(`a`,rollup_group_item(`b`,1)),0),'x') AS `v`"
            + "|select ifnull(coalesce(`a`,`b`),'x') AS `v`",
        "select rollup_sum_switcher(distinct count(distinct `t`.`a`,`t`.`b`)) AS `d`"
            + "|select  count(distinct `t`.`a`,`t`.`b`) AS `d`",
        "select 'rollup_group_item(a,0)' AS `rollup_sum_switcher`|select 'rollup_group_item(a,0)' AS `rollup_sum_switcher`",
        "select 1 AS `one`|select 1 AS `one`",
      },
      quoteCharacter = '"')
  void areWrittenAsTheyWere(String told, String written) {
    assertThat(RollupForms.plain(told)).isEqualTo(written);
  }
}
