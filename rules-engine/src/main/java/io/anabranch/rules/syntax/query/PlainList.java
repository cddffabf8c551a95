package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.TokenRange;
import java.util.function.IntPredicate;

/** Lists whose items are one token each: {@code 1, 2, 3}. */
public final class PlainList {

  private PlainList() {}

  /** Whether nothing but such items and the commas between them stands in a range. */
  public static boolean is(TokenRange list, IntPredicate item) {
    return list.consistsOf(
        token ->
            (token - list.first()) % 2 == 0
                ? item.test(token)
                : list.tokens().isPunctuation(token, ','));
  }
}
