package io.anabranch.rules.syntax;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as the tokens name it.
 *
 * @param first its first token: the qualifier, or the name
 * @param behind the token behind it
 */
public record TableMention(@Nullable String qualifier, String name, int first, int behind) {

  /** Reads {@code name} or {@code database.name} at {@code token}; 1064 if there is none. */
  public static TableMention at(SourceText source, int token) {
    SqlTokens tokens = source.tokens();
    if (!tokens.isName(token)) {
      throw syntaxError(source, token);
    }
    if (!tokens.isPunctuation(token + 1, '.')) {
      return new TableMention(null, tokens.name(token), token, token + 1);
    }
    if (!tokens.isName(token + 2)) {
      throw syntaxError(source, token + 2);
    }
    return new TableMention(tokens.name(token), tokens.name(token + 2), token, token + 3);
  }

  /** Reads {@code a, database.b, c} at {@code first}; 1064 if a name is missing. */
  public static List<TableMention> list(SourceText source, int first) {
    var mentions = new ArrayList<TableMention>();
    int next = first;
    do {
      mentions.add(at(source, next));
      next = mentions.getLast().behind() + 1;
    } while (source.tokens().isPunctuation(next - 1, ','));
    return mentions;
  }

  /** Behind IF EXISTS and IF NOT EXISTS, which stand in front of a name. */
  public static int behindCondition(SqlTokens tokens, int from) {
    return tokens.from(from).skipWords("IF", "NOT", "EXISTS");
  }

  /** What a server says of a token that it did not expect. */
  public static RuntimeException syntaxError(SourceText source, int token) {
    SqlTokens tokens = source.tokens();
    int offset = token < tokens.size() ? tokens.start(token) : source.text().length();
    String near = source.text().substring(offset);
    long line = source.text().substring(0, offset).chars().filter(c -> c == '\n').count() + 1;
    return ErrorCatalogue.SYNTAX.refuse(near.substring(0, Math.min(80, near.length())), line);
  }
}
