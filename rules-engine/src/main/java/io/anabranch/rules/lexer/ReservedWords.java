package io.anabranch.rules.lexer;

import java.util.Locale;
import java.util.Set;

/**
 * Words that are no names without quotes in some version of MySQL from 5.7 on, or of MariaDB. Which
 * of them a server reserves it knows best itself.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/keywords.html">Keywords and Reserved
 * Words</a>.
 */
public final class ReservedWords {

  private static final Set<String> ALL =
      Set.of(
          """
          accessible add all alter analyze and as asc asensitive before between bigint binary blob both
          by call cascade case change char character check collate column condition constraint continue
          convert create cross cube cume_dist current_date current_role current_time current_timestamp
          current_user cursor database databases day_hour day_microsecond day_minute day_second dec
          decimal declare default delayed delete delete_domain_id dense_rank desc describe deterministic
          distinct distinctrow div do_domain_ids double drop dual each else elseif empty enclosed escaped
          except exists exit explain false fetch first_value float float4 float8 for force foreign from
          fulltext function general generated get grant group grouping groups having high_priority
          hour_microsecond hour_minute hour_second if ignore ignore_domain_ids ignore_server_ids in index
          infile inner inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval
          into io_after_gtids io_before_gtids is iterate join json_table key keys kill lag last_value
          lateral lead leading leave left library like limit linear lines load localtime localtimestamp
          lock long longblob longtext loop low_priority manual master_bind
          master_heartbeat_period master_ssl_verify_server_cert match maxvalue mediumblob mediumint
          mediumtext middleint minus minute_microsecond minute_second mod modifies natural not
          no_write_to_binlog nth_value ntile null numeric of offset on optimize optimizer_costs option
          optionally or order out outer outfile over page_checksum parallel parse_vcol_expr partition
          percent_rank position precision primary procedure purge qualify range rank read read_write reads
          real recursive ref_system_id references regexp release rename repeat replace require resignal
          restrict return returning revoke right rlike row row_number rows rownum schema schemas
          second_microsecond select sensitive separator sets set show signal slow smallint spatial specific
          savepoint sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate sqlwarning ssl
          starting stats_auto_recalc stats_persistent stats_sample_pages stored straight_join sysdate
          system system_time table tablesample terminated then tinyblob tinyint tinytext to trailing
          trigger true undo union unique unlock unsigned update usage use using utc_date utc_time
          utc_timestamp values varbinary varchar varcharacter varying vector virtual when where while
          window with write xor year_month zerofill
          """
              .strip()
              .split("\\s+"));

  /** Those that only some servers reserve, and that begin clauses. */
  private static final String[] OF_SOME = {"RETURNING", "OFFSET", "WINDOW", "MINUS"};

  /** Reserved words that are values, or end one. */
  private static final Set<String> ENDING =
      Set.of(
          """
          CURRENT_DATE CURRENT_ROLE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DAY_HOUR
          DAY_MICROSECOND DAY_MINUTE DAY_SECOND DEFAULT DESC FALSE HOUR_MICROSECOND HOUR_MINUTE
          HOUR_SECOND LOCALTIME LOCALTIMESTAMP MINUTE_MICROSECOND MINUTE_SECOND NULL
          SECOND_MICROSECOND TRUE UTC_DATE UTC_TIME UTC_TIMESTAMP YEAR_MONTH
          """
              .strip()
              .split("\\s+"));

  /** Reserved words that begin one, or a type: {@code JSON_VALUE(a, '$.b' RETURNING UNSIGNED)}. */
  private static final Set<String> BEGINNING =
      Set.of(
          "NULL",
          "TRUE",
          "FALSE",
          "DEFAULT",
          "NOT",
          "CASE",
          "EXISTS",
          "BINARY",
          "INTERVAL",
          "CHAR",
          "DECIMAL",
          "DOUBLE",
          "FLOAT",
          "REAL",
          "UNSIGNED");

  private ReservedWords() {}

  /**
   * Whether the word is a name by its place, on whatever server: RETURNING in {@code SELECT
   * returning FROM t}, and not in {@code DELETE FROM t RETURNING id}.
   */
  static boolean isName(SqlTokens tokens, int token) {
    if (!tokens.isAnyWord(token, OF_SOME)) {
      return false;
    }
    boolean begins =
        switch (tokens.word(token)) {
          case "WINDOW" -> tokens.isName(token + 1) && tokens.isWord(token + 2, "AS");
          case "MINUS" -> endsOperand(tokens, token - 1) && beginsQuery(tokens, token + 1);
          default -> endsOperand(tokens, token - 1) && beginsOperand(tokens, token + 1);
        };
    return !begins;
  }

  /** Whether what ends there is an operand: an operator follows, and no sign. */
  public static boolean endsOperand(SqlTokens tokens, int token) {
    return switch (tokens.kind(token)) {
      case WORD ->
          tokens.isPunctuation(token - 1, '.')
              || !mayHave(tokens.text(token))
              || ENDING.contains(tokens.word(token));
      case QUOTED, VARIABLE, NUMBER, STRING, BINARY, MARKER -> true;
      case PUNCTUATION -> tokens.isPunctuation(token, ')');
      case EXECUTABLE_START, EXECUTABLE_END -> true;
      case OPERATOR, OPTIMIZER_HINT, NONE -> false;
    };
  }

  private static boolean beginsOperand(SqlTokens tokens, int token) {
    return switch (tokens.kind(token)) {
      case WORD ->
          !mayHave(tokens.text(token))
              || BEGINNING.contains(tokens.word(token))
              || tokens.isPunctuation(token + 1, '(');
      case PUNCTUATION -> tokens.isPunctuation(token, '(');
      case NONE -> false;
      default -> true;
    };
  }

  private static boolean beginsQuery(SqlTokens tokens, int token) {
    return tokens.isAnyWord(token, "SELECT", "VALUES", "TABLE", "ALL", "DISTINCT")
        || tokens.isPunctuation(token, '(');
  }

  /** Whether a server may take the unquoted word for no name. */
  public static boolean mayHave(String word) {
    return ALL.contains(word.toLowerCase(Locale.ROOT));
  }
}
