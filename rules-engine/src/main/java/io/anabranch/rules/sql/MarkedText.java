package io.anabranch.rules.sql;

import java.util.List;

/**
 * A statement as Druid is given it: slots as {@code ?}; quoted, non-ASCII and known names as {@code
 * `#n`}, where n is the number of their token.
 *
 * @param slots the slot of each {@code ?}, in order
 * @param names the text of each marked token without quotes, by token number; others are empty
 */
public record MarkedText(String sql, int[] slots, List<String> names) {

  static final int NO_TOKEN = -1;

  /** The marked token behind a name of Druid's tree, or {@link #NO_TOKEN}. */
  int token(String druidName) {
    if (druidName.length() < 4 || !druidName.startsWith("`#")) {
      return NO_TOKEN;
    }
    int token = 0;
    for (int i = 2; i < druidName.length() - 1; i++) {
      token = token * 10 + (druidName.charAt(i) - '0');
    }
    return token;
  }

  /** A name of Druid's tree as the client wrote it, without quotes. */
  String name(String druidName) {
    int token = token(druidName);
    return token == NO_TOKEN ? druidName : names.get(token);
  }

  /** The slot of Druid's n-th {@code ?}. */
  int slot(int variable) {
    return slots[variable];
  }
}
