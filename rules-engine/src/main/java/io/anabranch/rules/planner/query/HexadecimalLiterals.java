package io.anabranch.rules.planner.query;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.value.StoredIn;

/**
 * Hexadecimal and bit literals that are read first: {@code 0x616263} is a string for a client, and
 * 6382179 for a column of numbers that gets it from the statement itself.
 */
public final class HexadecimalLiterals {

  private HexadecimalLiterals() {}

  /**
   * @param value what is stored
   * @param column where
   * @throws io.anabranch.rules.error.RefusedException if the query gives another value
   */
  public static void refuse(SqlTokens tokens, Span value, Column column) {
    boolean isBinary = tokens.kind(value.first()) == TokenKind.BINARY;
    boolean isAlone = value.first() + 1 == value.behind() || tokens.isWord(value.first() + 1, "AS");
    if (isBinary && isAlone && !StoredIn.of(column.type(), false).kind().isString()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "'" + tokens.text(value.first()) + "' for '" + column.name() + "', no string,",
          "give it as a number");
    }
  }
}
