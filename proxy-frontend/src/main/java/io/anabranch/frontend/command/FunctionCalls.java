package io.anabranch.frontend.command;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;

/** Tells calls of functions that are surely the server's own from those that may be stored ones. */
final class FunctionCalls {

  /** Functions that assignments are made of, and words that a parenthesis may follow. */
  private static final Set<String> OWN =
      Set.of(
          ("abs all and any ascii as avg between bin binary bit_count by case cast ceil ceiling char"
                  + " char_length coalesce concat concat_ws connection_id conv convert count crc32"
                  + " curdate current_date current_time current_timestamp current_user curtime"
                  + " database date date_add date_format date_sub datediff day div else elt exists"
                  + " extract field find_in_set floor format found_rows from from_unixtime get_lock"
                  + " greatest group_concat hex hour if ifnull in inet_aton inet_ntoa instr interval"
                  + " is_free_lock is_used_lock isnull json_array json_extract json_object"
                  + " json_unquote json_value last_insert_id lcase least left length like limit ln"
                  + " localtime localtimestamp locate log lower lpad ltrim max md5 mid min minute mod"
                  + " month not now nullif oct on or ord over position pow power quote rand"
                  + " regexp release_all_locks release_lock repeat replace reverse right round"
                  + " row_count rpad rtrim schema second select session_user sha sha1 sha2 sign sleep"
                  + " space sqrt str_to_date substr substring substring_index sum sysdate then time"
                  + " timestamp timestampadd timestampdiff trim truncate ucase unhex union"
                  + " unix_timestamp upper user using utc_date utc_time utc_timestamp uuid"
                  + " uuid_short values version week weekday when where xor year")
              .split(" "));

  private FunctionCalls() {}

  /** Whether a function is called that may be a stored one. */
  static boolean areStored(SqlTokens tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.isPunctuation(i, '(')
          && tokens.isName(i - 1)
          && !(tokens.kind(i - 1) == TokenKind.WORD
              && !tokens.isPunctuation(i - 2, '.')
              && OWN.contains(tokens.text(i - 1).toLowerCase(Locale.ROOT)))) {
        return true;
      }
    }
    return false;
  }
}
