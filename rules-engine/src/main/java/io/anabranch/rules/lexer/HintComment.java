package io.anabranch.rules.lexer;

/**
 * {@code /* ANABRANCH_HINT: key=value *}{@code /} in front of a statement, or the same with {@code
 * SHARDINGSPHERE_HINT}.
 */
final class HintComment {

  private static final String[] WORDS = {
    "SHARDINGSPHERE_HINT:", "SHARDINGSPHERE HINT:", "ANABRANCH_HINT:"
  };

  private HintComment() {}

  /** Notes the hint in the comment's text {@code [from, to)}, if it is one. */
  static void find(byte[] sql, int from, int to, Scan scan) {
    int p = from;
    while (p < to && sql[p] <= ' ' && sql[p] >= 0) {
      p++;
    }
    for (String word : WORDS) {
      if (to - p >= word.length() && StatementWords.matches(sql, p, p + word.length(), word)) {
        scan.hintStart = p + word.length();
        scan.hintEnd = to;
        scan.append((byte) HINT_MARK);
        scan.append(scan.hintStart, to);
        scan.append((byte) HINT_MARK);
        return;
      }
    }
  }

  static final int HINT_MARK = 8;
}
