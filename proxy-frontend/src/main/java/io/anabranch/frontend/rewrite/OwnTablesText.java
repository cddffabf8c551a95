package io.anabranch.frontend.rewrite;

import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.syntax.TextEdits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement that names tables of the schema {@code anabranch}, with names of copies in their
 * place.
 */
public final class OwnTablesText {

  private static final Set<String> BEFORE_TABLE =
      Set.of(
          "FROM",
          "JOIN",
          "STRAIGHT_JOIN",
          "TABLE",
          "INTO",
          "UPDATE",
          "DESC",
          "DESCRIBE",
          "EXPLAIN",
          "IN",
          "TRUNCATE");

  /**
   * A place where the statement reads a table.
   *
   * @param copy what stands there instead
   */
  public record Reference(VirtualTable table, String copy) {}

  private final List<Reference> references = new ArrayList<>();
  private final String text;

  private OwnTablesText(SourceText source, VirtualSchema schema) {
    SqlTokens tokens = source.tokens();
    var out = new TextEdits(source);
    for (int token : tokens.all().where(each -> isSchema(tokens, each))) {
      VirtualTable table = schema.table(tokens.name(token + 2));
      if (tokens.isPunctuation(token + 3, '.')) {
        // a column's qualifier
        out.remove(token, token + 2);
      } else if (table != null) {
        String copy = StagedTable.COPY + (references.size() + 1);
        references.add(new Reference(table, copy));
        boolean isAliased = isAliased(tokens, token + 3);
        String own = isAliased ? copy : StagedTable.unaliased(copy) + tokens.text(token + 2);
        out.replace(token, token + 3, own);
      } else if (isBehindTableWord(tokens, token)) {
        throw ErrorCatalogue.NO_SUCH_TABLE.refuse(VirtualSchema.NAME, tokens.name(token + 2));
      }
    }
    text = out.text();
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException 1146 for a table that there is not
   */
  public static OwnTablesText of(SourceText source, VirtualSchema schema) {
    return new OwnTablesText(source, schema);
  }

  /** One for each place where a table is read. */
  public List<Reference> references() {
    return references;
  }

  public String text() {
    return text;
  }

  /**
   * The table that a statement names where tables stand; null if it names none of the schema: the
   * word is something else.
   */
  public static @Nullable String namedTable(SqlTokens tokens) {
    int found =
        tokens.from(1).find(token -> isSchema(tokens, token) && isBehindTableWord(tokens, token));
    return found < 0 ? null : tokens.name(found + 2);
  }

  private static boolean isSchema(SqlTokens tokens, int token) {
    return tokens.isName(token)
        && tokens.name(token).equalsIgnoreCase(VirtualSchema.NAME)
        && tokens.isPunctuation(token + 1, '.')
        && tokens.isName(token + 2)
        && !tokens.isPunctuation(token - 1, '.');
  }

  private static boolean isBehindTableWord(SqlTokens tokens, int token) {
    int before = tokens.beforeOpenings(token);
    return BEFORE_TABLE.contains(tokens.word(before));
  }

  private static boolean isAliased(SqlTokens tokens, int behind) {
    return tokens.isWord(behind, "AS")
        || (tokens.isName(behind)
            && (tokens.kind(behind) != TokenKind.WORD
                || !ReservedWords.mayHave(tokens.text(behind))));
  }
}
