package io.anabranch.app.types;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Settings under which statements mean something else: of the session, and of one statement. */
final class Surroundings {

  private static final List<String> MODES =
      List.of(
          "",
          "",
          "ANSI_QUOTES",
          "PIPES_AS_CONCAT",
          "NO_BACKSLASH_ESCAPES",
          "HIGH_NOT_PRECEDENCE",
          "NO_UNSIGNED_SUBTRACTION",
          "REAL_AS_FLOAT",
          "PAD_CHAR_TO_FULL_LENGTH",
          "IGNORE_SPACE",
          "ONLY_FULL_GROUP_BY",
          "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO",
          "ANSI");

  private static final List<String> MODES_OF_MARIADB =
      List.of("TIME_ROUND_FRACTIONAL", "ORACLE", "EMPTY_STRING_IS_NULL", "SIMULTANEOUS_ASSIGNMENT");

  private static final List<String> MODES_OF_MYSQL = List.of("TIME_TRUNCATE_FRACTIONAL");

  private static final List<String> MOMENTS =
      List.of("1700000000.123456", "1729994399.999999", "951782400.5");

  private static final List<String> OF_SESSIONS =
      List.of(
          "time_zone = '-03:30'",
          "time_zone = '+14:00'",
          "lc_time_names = 'de_DE'",
          "lc_time_names = 'ja_JP'",
          "div_precision_increment = 0",
          "div_precision_increment = 12",
          "default_week_format = 3",
          "group_concat_max_len = 12",
          "NAMES latin1",
          "NAMES utf8mb4 COLLATE utf8mb4_bin",
          "NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
          "character_set_results = NULL",
          "sql_select_limit = 4",
          "sql_auto_is_null = 1",
          "max_sort_length = 8");

  private static final List<String> OF_STATEMENTS =
      List.of(
          "div_precision_increment=%d",
          "group_concat_max_len=%d",
          "sort_buffer_size=40000",
          "max_sort_length=%d",
          "timestamp=1700000000.5",
          "time_zone='+09:00'",
          "sql_mode='PIPES_AS_CONCAT'",
          "sql_mode='ANSI_QUOTES'",
          "sql_mode='HIGH_NOT_PRECEDENCE'",
          "default_week_format=%d",
          "lc_time_names='fr_FR'",
          "sql_select_limit=%d");

  private static final List<String> HINTED =
      List.of(
          "div_precision_increment=%d",
          "group_concat_max_len=1%d",
          "sort_buffer_size=40000",
          "max_sort_length=1%d",
          "timestamp=1700000000.5",
          "sql_mode='PIPES_AS_CONCAT'",
          "sql_mode='NO_UNSIGNED_SUBTRACTION'",
          "sql_select_limit=%d",
          "optimizer_switch='derived_merge=off'",
          "big_tables=ON",
          "internal_tmp_mem_storage_engine=MEMORY");

  private final Random random;
  private final boolean isMySql;

  Surroundings(Random random, boolean isMySql) {
    this.random = random;
    this.isMySql = isMySql;
  }

  /** What a session is told before its statements. */
  List<String> session() {
    var set = new ArrayList<String>();
    var modes = new ArrayList<>(List.of("NO_ENGINE_SUBSTITUTION"));
    var known = new ArrayList<>(MODES);
    known.addAll(isMySql ? MODES_OF_MYSQL : MODES_OF_MARIADB);
    for (int i = random.nextInt(3); i > 0; i--) {
      modes.add(one(known));
    }
    set.add("SET timestamp = " + one(MOMENTS));
    set.add("SET sql_mode = '" + String.join(",", modes) + "'");
    for (int i = random.nextInt(3); i > 0; i--) {
      set.add("SET " + one(OF_SESSIONS));
    }
    return set;
  }

  /** The statement, perhaps with a setting of its own. */
  String around(String sql) {
    if (random.nextInt(isMySql ? 20 : 6) != 0) {
      return sql;
    }
    if (!isMySql) {
      return "SET STATEMENT " + one(OF_STATEMENTS).formatted(random.nextInt(16)) + " FOR " + sql;
    }
    return sql.startsWith("SELECT ")
        ? "SELECT /*+ SET_VAR("
            + one(HINTED).formatted(random.nextInt(16))
            + ") */ "
            + sql.substring("SELECT ".length())
        : sql;
  }

  private String one(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }
}
