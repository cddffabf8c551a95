package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.query.ClauseWords;
import io.anabranch.rules.syntax.query.SelectItems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts literals in the place of a statement's parameter markers. Select items that are called by
 * their text keep their names: {@code SELECT ?} is a column {@code ?}.
 */
public final class MarkerLiterals {

  private MarkerLiterals() {}

  /**
   * What comes in the place of a marker, as SQL text.
   *
   * @param literal where its value counts alone
   * @param item where it is an item of the outermost select list, whose type is seen
   * @param operand where it is a part of such an item
   * @param key where rows are sorted or grouped by it
   */
  public record Value(String literal, String item, String operand, String key) {

    /** The same everywhere. */
    public static Value of(String literal) {
      return new Value(literal, literal, literal, literal);
    }
  }

  /**
   * @param values one for each marker in the order of the text
   */
  public static String in(SourceText source, List<Value> values) {
    if (values.isEmpty()) {
      return source.text();
    }
    SqlTokens tokens = source.tokens();
    var edits = new SourceEdits(source);
    Map<Integer, String> bySlot = new HashMap<>();
    int next = 0;
    var clauses = new ClauseWords(tokens);
    int behindItems = tokens.isWord(0, "SELECT") ? SelectItems.behind(tokens, 0) : 0;
    for (int token : tokens.all().slots()) {
      if (tokens.kind(token) == TokenKind.MARKER) {
        Value value = values.get(next++);
        boolean isItem = isItem(tokens, token, behindItems);
        String selected = isItem ? value.item() : value.operand();
        String told = clauses.isKey(token) ? value.key() : value.literal();
        String text = token < behindItems ? selected : told;
        text = isCount(tokens, token) ? value.literal() : text;
        edits.replace(edits.start(token), edits.end(token), List.of(edits.text(text)));
      } else {
        bySlot.put(tokens.slot(token), tokens.text(token));
      }
    }
    ItemNames.keep(edits);
    var out = new StringBuilder(source.text().length() + 16 * values.size());
    for (Piece piece : edits.copy(0, source.bytes().length)) {
      switch (piece) {
        case Piece.Text(byte[] bytes) -> out.append(new String(bytes, source.charset()));
        case Piece.Slot(int slot) -> out.append(bySlot.get(slot));
        case Piece.Table ignored -> throw new IllegalStateException("no table is edited");
        case Piece.Keys ignored -> throw new IllegalStateException("no list is edited");
      }
    }
    return out.toString();
  }

  /**
   * Whether a number must stand there, and no expression: LIMIT of a subquery, bounds of a window's
   * frame.
   */
  private static boolean isCount(SqlTokens tokens, int token) {
    return isBound(tokens, token + 1)
        || isBound(tokens, token + 2)
        || tokens.isWord(token - 1, "LIMIT")
        || tokens.isWord(token - 1, "OFFSET")
        || (tokens.isPunctuation(token - 1, ',') && tokens.isWord(token - 3, "LIMIT"));
  }

  private static boolean isBound(SqlTokens tokens, int token) {
    return tokens.isWord(token, "PRECEDING") || tokens.isWord(token, "FOLLOWING");
  }

  private static boolean isItem(SqlTokens tokens, int token, int behindItems) {
    boolean begins = token == 1 || tokens.isPunctuation(token - 1, ',');
    boolean ends =
        token + 1 == behindItems
            || tokens.isPunctuation(token + 1, ',')
            || tokens.isWord(token + 1, "AS");
    return tokens.depth(token) == 0 && begins && ends;
  }
}
