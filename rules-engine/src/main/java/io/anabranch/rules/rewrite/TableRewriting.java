package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.SqlTemplate;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A client's text with table names as holes. The names of mentioned tables become table references,
 * numbered like the mentions, also where they qualify columns; the logical database's name in front
 * of any name goes. Used once, on one thread.
 */
public final class TableRewriting {

  private record Edit(int end, Consumer<SqlTemplate.Builder> text) {}

  private final SourceText source;
  private final TreeMap<Integer, Edit> edits = new TreeMap<>();

  public TableRewriting(SourceText source, String database, List<TableMention> mentions) {
    this.source = source;
    for (int i = 0; i < mentions.size(); i++) {
      TableMention mention = mentions.get(i);
      int reference = i;
      replace(mention.first(), mention.behind(), out -> out.table(reference));
    }
    SqlTokens tokens = source.tokens();
    for (int call : DatabaseCalls.in(tokens)) {
      replace(call, call + 3, out -> out.text(DatabaseCalls.typed(TableNames.literal(database))));
    }
    for (int qualifier : tokens.all().qualifiers()) {
      if (!edits.containsKey(tokens.start(qualifier))) {
        qualifier(qualifier, database, mentions);
      }
    }
  }

  private void qualifier(int token, String database, List<TableMention> mentions) {
    SqlTokens tokens = source.tokens();
    int name = token;
    if (tokens.name(token).equalsIgnoreCase(database)) {
      if (!tokens.isName(token + 2)) {
        return;
      }
      name = token + 2;
      replace(token, name, out -> {});
    }
    for (int i = 0; i < mentions.size(); i++) {
      boolean qualifies = tokens.isPunctuation(name + 1, '.');
      if (qualifies && tokens.name(name).equalsIgnoreCase(mentions.get(i).name())) {
        int reference = i;
        replace(token, name + 1, out -> out.table(reference));
        return;
      }
    }
  }

  /** Puts other text in the place of the tokens {@code [from, to)}. */
  public void replace(int from, int to, Consumer<SqlTemplate.Builder> text) {
    int end = to > from ? end(to - 1) : start(from);
    edits.put(start(from), new Edit(end, text));
  }

  /** Puts text in front of a token. */
  public void insert(int token, Consumer<SqlTemplate.Builder> text) {
    replace(token, token, text);
  }

  private int start(int token) {
    SqlTokens tokens = source.tokens();
    return token < tokens.size() ? tokens.start(token) : endOfText();
  }

  private int end(int token) {
    return source.tokens().end(token);
  }

  /** The whole statement. */
  public SqlTemplate template() {
    return template(0, source.tokens().size());
  }

  /** The tokens {@code [from, to)}, without the blanks around them. */
  public SqlTemplate template(int from, int to) {
    SqlTemplate.Builder out = SqlTemplate.of(source);
    int done = start(from);
    int last = to > from ? end(to - 1) : done;
    for (Map.Entry<Integer, Edit> edit : edits.subMap(done, last).entrySet()) {
      int start = edit.getKey();
      out.copy(done, start);
      done = edit.getValue().end();
      String text = source.text();
      boolean isQuoted = start < done && SourceEdits.isQuote(text.charAt(start));
      if (isQuoted && start > 0 && SqlTokens.isNamePart(text.charAt(start - 1))) {
        out.text(" ");
      }
      edit.getValue().text().accept(out);
      if (isQuoted && done < text.length() && SqlTokens.isNamePart(text.charAt(done))) {
        out.text(" ");
      }
    }
    return out.copy(done, last).build();
  }

  private int endOfText() {
    int count = source.tokens().size();
    return count == 0 ? 0 : end(count - 1);
  }
}
