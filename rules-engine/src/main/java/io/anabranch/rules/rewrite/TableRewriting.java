package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import java.util.ArrayList;
import java.util.List;

/**
 * A client's text with table names as holes. The names of mentioned tables become table references,
 * numbered like the mentions, also where they qualify columns; the logical database's name in front
 * of any name goes. Used once, on one thread.
 */
public final class TableRewriting {

  private final SourceText source;
  private final SourceEdits edits;

  public TableRewriting(SourceText source, String database, List<TableMention> mentions) {
    this.source = source;
    this.edits = new SourceEdits(source);
    for (int i = 0; i < mentions.size(); i++) {
      TableMention mention = mentions.get(i);
      replace(mention.first(), mention.behind(), new Piece.Table(i));
    }
    SqlTokens tokens = source.tokens();
    for (int call : DatabaseCalls.in(tokens)) {
      replace(call, call + 3, text(DatabaseCalls.typed(TableNames.literal(database))));
    }
    for (int qualifier : tokens.all().qualifiers()) {
      if (!edits.renames(edits.start(qualifier), edits.end(qualifier))) {
        qualifier(qualifier, database, mentions);
      }
    }
  }

  /**
   * A statement with another list of tables.
   *
   * @param written the list as the client wrote it
   * @param tables how many references stand in its place
   */
  public static SqlTemplate ofList(SourceText source, List<TableMention> written, int tables) {
    SourceEdits edits = new SourceEdits(source);
    var list = new ArrayList<Piece>();
    for (int i = 0; i < tables; i++) {
      if (i > 0) {
        list.add(edits.text(", "));
      }
      list.add(new Piece.Table(i));
    }
    edits.replace(
        edits.start(written.getFirst().first()), edits.end(written.getLast().behind() - 1), list);
    return edits.template(edits.copyTokens(0, source.tokens().size()));
  }

  private void qualifier(int token, String database, List<TableMention> mentions) {
    SqlTokens tokens = source.tokens();
    int name = token;
    if (tokens.name(token).equalsIgnoreCase(database)) {
      if (!tokens.isName(token + 2)) {
        return;
      }
      name = token + 2;
      replace(token, name);
    }
    for (int i = 0; i < mentions.size(); i++) {
      boolean qualifies = tokens.isPunctuation(name + 1, '.');
      if (qualifies && tokens.name(name).equalsIgnoreCase(mentions.get(i).name())) {
        replace(token, name + 1, new Piece.Table(i));
        return;
      }
    }
  }

  /** Puts pieces in the place of the tokens {@code [first, behind)}; none takes them out. */
  public void replace(int first, int behind, Piece... pieces) {
    edits.replace(edits.start(first), edits.end(behind - 1), List.of(pieces));
  }

  /** Puts pieces in front of a token. */
  public void insert(int token, Piece... pieces) {
    edits.insert(edits.start(token), List.of(pieces));
  }

  /** Text of the proxy's own. */
  public Piece text(String text) {
    return edits.text(text);
  }

  /** The whole statement. */
  public SqlTemplate template() {
    return template(0, source.tokens().size());
  }

  /** The tokens {@code [from, to)}, without the blanks around them. */
  public SqlTemplate template(int from, int to) {
    return edits.template(edits.copyTokens(from, to));
  }
}
