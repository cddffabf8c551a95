package io.anabranch.backend.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartValuesTest {

  private final StartValues values =
      StartValues.of(
          Map.of(
              "sql_mode", "ANSI_QUOTES",
              "lc_messages", "o'clock",
              "lock_wait_timeout", "50",
              "max_statement_time", "0.500",
              "hostname", "nobody sets it"));

  @Test
  void areTextsOfTheirValues() {
    assertThat(values.literal("sql_mode")).isEqualTo("'ANSI_QUOTES'");
    assertThat(values.literal("lc_messages")).isEqualTo("'o''clock'");
    assertThat(values.literal("lock_wait_timeout")).isEqualTo("50");
    assertThat(values.literal("max_statement_time")).isEqualTo("0.500");
  }

  @Test
  void areOfVariablesThatMatterAndThatTheServerKnows() {
    assertThat(values.literal("hostname")).isNull();
    assertThat(values.literal("unique_checks")).isNull();
    assertThat(StartValues.UNKNOWN.literal("sql_mode")).isNull();
  }

  /** Servers show it as nothing, and take no text of that. */
  @Test
  void anEngineMayBeNone() {
    String name = "default_tmp_storage_engine";
    assertThat(StartValues.of(Map.of(name, "")).literal(name)).isEqualTo("NULL");
    assertThat(StartValues.of(Map.of(name, "MEMORY")).literal(name)).isEqualTo("'MEMORY'");
  }

  @Test
  void areToldByName() {
    var told = new LinkedHashMap<String, String>();
    values.forEach(told::put);
    assertThat(told)
        .containsExactly(
            Map.entry("lc_messages", "'o''clock'"),
            Map.entry("lock_wait_timeout", "50"),
            Map.entry("max_statement_time", "0.500"),
            Map.entry("sql_mode", "'ANSI_QUOTES'"));
  }

  @Test
  void areEqualByValue() {
    StartValues alike = StartValues.of(Map.of("lock_wait_timeout", "50"));
    assertThat(alike).isEqualTo(StartValues.of(Map.of("lock_wait_timeout", "50")));
    assertThat(alike).hasSameHashCodeAs(StartValues.of(Map.of("lock_wait_timeout", "50")));
    assertThat(alike).isNotEqualTo(StartValues.of(Map.of("lock_wait_timeout", "51")));
    assertThat(alike).isNotEqualTo(StartValues.UNKNOWN);
  }

  /** A thousand data sources keep them, much the same. */
  @Test
  void areTextsThatEqualOnesShare() {
    String one = StartValues.of(Map.of("sql_mode", "NO_ZERO_DATE")).literal("sql_mode");
    String other = StartValues.of(Map.of("sql_mode", "NO_ZERO_DATE")).literal("sql_mode");
    assertThat(one).isSameAs(other);
  }
}
