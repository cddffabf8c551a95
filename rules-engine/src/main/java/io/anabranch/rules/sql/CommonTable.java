package io.anabranch.rules.sql;

import java.util.List;

/**
 * A table that a WITH clause defines.
 *
 * @param name without quotes
 * @param recursive whether its query may name the table itself
 * @param mentions where queries read it, its own query apart; in the order of the text
 */
public record CommonTable(String name, boolean recursive, List<Mention> mentions) {

  public CommonTable {
    mentions = List.copyOf(mentions);
  }

  /**
   * @param token of the name; -1 if it is not one of the known ones
   * @param aliased whether the statement gives it another name there
   */
  public record Mention(int token, boolean aliased) {}
}
