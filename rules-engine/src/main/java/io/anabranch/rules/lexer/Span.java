package io.anabranch.rules.lexer;

import java.util.ArrayList;
import java.util.List;

/** Tokens {@code [first, behind)} of a statement that is told beside it. */
public record Span(int first, int behind) {

  /** No tokens, nowhere. */
  public static final Span NONE = new Span(0, 0);

  public boolean isEmpty() {
    return first >= behind;
  }

  /**
   * Slots of the literals in it. What a select item is called, and how long and precise it is,
   * depends on them.
   */
  public List<Integer> literals(SqlTokens tokens) {
    var slots = new ArrayList<Integer>();
    for (int token = first; token < behind; token++) {
      if (tokens.slot(token) >= 0 && tokens.kind(token) != TokenKind.MARKER) {
        slots.add(tokens.slot(token));
      }
    }
    return slots;
  }
}
