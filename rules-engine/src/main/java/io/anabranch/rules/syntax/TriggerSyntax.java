package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of CREATE TRIGGER stand, in tokens.
 *
 * @param other the trigger that it FOLLOWS or PRECEDES
 * @param row what a trigger calls the row where it lies: NEW, or OLD for UPDATE and DELETE
 * @param body first token of the statement that it runs
 * @param mayExist OR REPLACE, IF NOT EXISTS
 */
public record TriggerSyntax(
    TableMention trigger,
    TableMention table,
    @Nullable TableMention other,
    String row,
    int body,
    boolean mayExist) {

  private static final int LATEST = 24;

  /** Token of the word TRIGGER; -1 if the statement is about something else. */
  public static int trigger(SqlTokens tokens) {
    for (int i = 1; i < Math.min(LATEST, tokens.size()); i++) {
      if (tokens.isWord(i, "TRIGGER")) {
        return i;
      }
      boolean isOther =
          tokens.isWord(i, "FUNCTION")
              || tokens.isWord(i, "PROCEDURE")
              || tokens.isWord(i, "EVENT")
              || tokens.isPunctuation(i, '.');
      if (isOther) {
        return -1;
      }
    }
    return -1;
  }

  public static TriggerSyntax read(SourceText source, int word) {
    SqlTokens tokens = source.tokens();
    boolean mayExist = tokens.isWord(1, "OR") || tokens.isWord(word + 1, "IF");
    TableMention trigger = TableMention.at(source, TableMention.behindCondition(tokens, word + 1));
    int event = trigger.behind() + 1;
    require(source, event + 1, "ON");
    String row = tokens.isWord(event, "INSERT") ? "NEW" : "OLD";
    TableMention table = TableMention.at(source, event + 2);
    int at = table.behind();
    require(source, at, "FOR");
    require(source, at + 1, "EACH");
    require(source, at + 2, "ROW");
    at += 3;
    TableMention other = null;
    if (tokens.isWord(at, "FOLLOWS") || tokens.isWord(at, "PRECEDES")) {
      other = TableMention.at(source, at + 1);
      at = other.behind();
    }
    return new TriggerSyntax(trigger, table, other, row, at, mayExist);
  }

  private static void require(SourceText source, int token, String word) {
    if (!source.tokens().isWord(token, word)) {
      throw TableMention.syntaxError(source, token);
    }
  }

  /** The trigger of a node, of which a schema may have only one. */
  public static String actual(String trigger, String actualTable, String table) {
    return actualTable.toLowerCase(Locale.ROOT).equals(table.toLowerCase(Locale.ROOT))
        ? trigger
        : trigger + "_" + actualTable;
  }
}
