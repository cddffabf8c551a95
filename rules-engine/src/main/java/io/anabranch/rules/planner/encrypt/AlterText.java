package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.DefinitionText.StoredDefinition;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * ALTER TABLE and CREATE INDEX: what is said of an encrypted column is said of those that are
 * stored. Where that would not be the same, it is refused.
 */
final class AlterText {

  /** Behind DROP: what has names of its own. */
  private static final Set<String> NO_COLUMNS =
      Set.of(
          "CHECK",
          "CONSTRAINT",
          "FOREIGN",
          "INDEX",
          "KEY",
          "PARTITION",
          "PERIOD",
          "PRIMARY",
          "SYSTEM");

  private static final String ELSEWHERE = "define what is stored on the data source itself";

  private final StoredText text;
  private final SqlTokens tokens;
  private final EncryptedNames names;
  private final EncryptedTable table;
  private final DefinitionText definitions;

  private AlterText(StoredText text, EncryptedNames names, EncryptedTable table) {
    this.text = text;
    this.tokens = text.tokens();
    this.names = names;
    this.table = table;
    this.definitions = new DefinitionText(text, names);
  }

  /**
   * The parts of an ALTER TABLE.
   *
   * @return false: it alters another table, or something else
   */
  static boolean write(StoredText text, EncryptedNames names) {
    SqlTokens tokens = text.tokens();
    int at = tokens.all().findWord("TABLE");
    boolean isTable = at == 1 || (at > 1 && tokens.isAnyWord(at - 1, "ONLINE", "IGNORE"));
    if (!isTable) {
      return false;
    }
    TableMention mention =
        TableMention.at(text.source(), at + (tokens.isWord(at + 1, "IF") ? 3 : 1));
    EncryptedTable table = table(mention, text, names);
    if (table == null) {
      return false;
    }
    int first = mention.behind();
    if (tokens.isAnyWord(first, "WAIT", "NOWAIT")) {
      first += tokens.isWord(first, "WAIT") ? 2 : 1;
    }
    var altered = new AlterText(text, names, table);
    tokens.between(first, tokens.size()).parts().forEach(altered::part);
    return true;
  }

  /**
   * An index of a table.
   *
   * @param index the word
   * @return false: it is one of another table
   */
  static boolean writeIndex(StoredText text, EncryptedNames names, int index) {
    SqlTokens tokens = text.tokens();
    int on = tokens.from(index + 1).findWord("ON");
    TableMention mention = TableMention.at(text.source(), on < 0 ? tokens.size() : on + 1);
    EncryptedTable table = table(mention, text, names);
    if (table == null || !tokens.isPunctuation(mention.behind(), '(')) {
      return false;
    }
    int close = tokens.closing(mention.behind());
    var altered = new AlterText(text, names, table);
    // in front of the word stands UNIQUE or nothing, or what compares otherwise
    int kind = tokens.isWord(index - 1, "CREATE") ? index : index - 1;
    altered.definitions.keyParts(table, kind, mention.behind(), close + 1);
    altered.refuseNames(close + 1, tokens.size(), "this index");
    return true;
  }

  private static @Nullable EncryptedTable table(
      TableMention mention, StoredText text, EncryptedNames names) {
    String qualifier = mention.qualifier();
    boolean isOwn = qualifier == null || names.isOwn(qualifier);
    EncryptedTable table = isOwn ? names.table(mention.name()) : null;
    boolean isView = names.view(mention.name()) != null;
    if (table != null) {
      text.understand(mention.first(), mention.behind());
    }
    return isView ? null : table;
  }

  private static RefusedException refused(String what, EncryptedColumn column, String wayOut) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(what, column.name(), wayOut);
  }

  private RefusedException refused(int token) {
    return ErrorCatalogue.ENCRYPTED_TABLE.refuse(
        tokens.text(token).toUpperCase(Locale.ROOT) + " in ALTER TABLE", table.name(), ELSEWHERE);
  }

  /** The column that clients call so; null: none of the encrypted ones. */
  private @Nullable EncryptedColumn named(int token) {
    String name = tokens.isName(token) ? tokens.name(token) : "";
    EncryptedColumn column = table.column(name);
    EncryptedColumn hidden = table.ofStored(name);
    if (column == null && hidden != null) {
      throw InsertText.hidden(hidden, name);
    }
    return column;
  }

  private void refuseNames(int from, int to, String what) {
    for (int name : tokens.between(from, to).names()) {
      EncryptedColumn column = named(name);
      if (column != null) {
        throw refused(what, column, ELSEWHERE);
      }
    }
  }

  private void part(Span part) {
    int first = part.first();
    int behind = part.behind();
    switch (tokens.word(first)) {
      case "ADD" -> add(first, behind);
      case "DROP" -> drop(first, behind);
      case "MODIFY" -> {
        int name = behindWords(first + 1);
        define(part, name, name);
      }
      case "CHANGE" -> {
        int name = behindWords(first + 1);
        define(part, name, name + 1);
      }
      case "RENAME" -> {
        if (tokens.isWord(first + 1, "COLUMN")) {
          refuseNames(first + 2, behind, "RENAME COLUMN");
        } else if (!tokens.isAnyWord(first + 1, "INDEX", "KEY")) {
          throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
              "RENAME", table.name(), "change the rule first");
        }
      }
      // stored columns have a character set of their own
      case "CONVERT" -> throw refused(first);
      default -> refuseNames(first, behind, "ALTER");
    }
  }

  /** Behind {@code [COLUMN] [IF [NOT] EXISTS]}. */
  private int behindWords(int from) {
    int at = tokens.isWord(from, "COLUMN") ? from + 1 : from;
    if (tokens.isWord(at, "IF")) {
      at += tokens.isWord(at + 1, "NOT") ? 3 : 2;
    }
    return at;
  }

  /** What stands in front of the name in each part. */
  private String head(String verb, int first, int name) {
    return tokens.isWord(first + 1, "IF") || tokens.isWord(first + 2, "IF")
        ? verb + " COLUMN " + (tokens.isWord(name - 2, "NOT") ? "IF NOT EXISTS " : "IF EXISTS ")
        : verb + " COLUMN ";
  }

  // ---------------------------------------------------------------- ADD

  private void add(int first, int behind) {
    int at = behindWords(first + 1);
    if (tokens.isPunctuation(at, '(')) {
      definitions.clauses(table, at + 1, tokens.closing(at));
      for (Span each : tokens.between(at + 1, tokens.closing(at)).parts()) {
        EncryptedColumn column = table.column(tokens.name(each.first()));
        if (column != null && !definitions.isKey(each.first())) {
          requireFillable(column, each.first(), each.behind());
        }
      }
      refuseNames(tokens.closing(at), behind, "ALTER");
      return;
    }
    if (definitions.isKey(at)) {
      definitions.key(table, at, behind);
      return;
    }
    int end = behindDefinition(at, behind);
    EncryptedColumn column = named(at);
    if (column == null) {
      refuseNames(at + 1, end, "ALTER");
      place(end, behind);
      return;
    }
    requireFillable(column, at, end);
    String place = placed(end, behind);
    write(
        new Span(first, behind),
        head("ADD", first, at),
        definitions.stored(column, at, end),
        place);
  }

  /** Servers fill a new column that is NOT NULL with what is no value's ciphertext. */
  private void requireFillable(EncryptedColumn column, int first, int behind) {
    if (definitions.isRequired(column, first, behind)) {
      throw refused(
          "ADD COLUMN … NOT NULL",
          column,
          "add it without NOT NULL, give it values, and change what is stored");
    }
  }

  // ---------------------------------------------------------------- places

  /** Where a definition ends that FIRST or AFTER may follow. */
  private int behindDefinition(int name, int behind) {
    if (behind - 2 > name && tokens.isWord(behind - 2, "AFTER")) {
      return behind - 2;
    }
    return behind - 1 > name && tokens.isWord(behind - 1, "FIRST") ? behind - 1 : behind;
  }

  /** Writes AFTER of a column that is not encrypted. */
  private void place(int end, int behind) {
    EncryptedColumn column = end + 2 == behind ? named(end + 1) : null;
    if (column != null) {
      text.replace(end + 1, behind, TableNames.quoted(column.cipher().name()));
    }
  }

  /** Where a column is for clients, there is its cipher column. */
  private String placed(int end, int behind) {
    if (end == behind) {
      return "";
    }
    if (end + 1 == behind) {
      return " FIRST";
    }
    EncryptedColumn column = named(end + 1);
    String name = column == null ? tokens.name(end + 1) : column.cipher().name();
    return " AFTER " + TableNames.quoted(name);
  }

  /** Puts one part for each stored column in the place of a part. */
  private void write(Span part, String head, List<StoredDefinition> all, String place) {
    var parts = new ArrayList<String>();
    String after = place;
    for (StoredDefinition each : all) {
      parts.add(head + each + after);
      after = place.isEmpty() ? "" : " AFTER " + TableNames.quoted(each.name());
    }
    text.replace(part.first(), part.behind(), String.join(", ", parts));
  }

  // ---------------------------------------------------------------- DROP, MODIFY, CHANGE

  private void drop(int first, int behind) {
    if (NO_COLUMNS.contains(tokens.word(first + 1))) {
      return;
    }
    int name = behindWords(first + 1);
    EncryptedColumn column = named(name);
    if (column == null) {
      return;
    }
    requireAlone(column, "DROP COLUMN");
    var parts = new ArrayList<String>();
    for (String stored : ChangeText.names(column)) {
      parts.add(head("DROP", first, name) + stored);
    }
    text.replace(first, Math.min(behind, name + 1), String.join(", ", parts));
  }

  /**
   * While the plain column is still there, its name may be meant for it: what is stored would be
   * gone for good in its place.
   */
  private void requireAlone(EncryptedColumn column, String what) {
    if (names.hasPlain(table, column)) {
      throw refused(
          what + " while the database still has a plain column of that name",
          column,
          "drop or change the plain column on each data source itself");
    }
  }

  /** MODIFY, and CHANGE that keeps the name. */
  private void define(Span part, int old, int name) {
    EncryptedColumn column = named(old);
    int end = behindDefinition(name, part.behind());
    EncryptedColumn renamed = old == name ? column : named(name);
    if (column == null) {
      if (renamed != null) {
        throw refused("CHANGE of another column's name into it", renamed, "change the rule first");
      }
      refuseNames(name + 1, end, "ALTER");
      place(end, part.behind());
      return;
    }
    if (renamed == null || !renamed.equals(column)) {
      throw refused("CHANGE of its name", column, "change the rule first");
    }
    requireAlone(column, "MODIFY or CHANGE");
    List<StoredDefinition> all = definitions.stored(column, name, end);
    for (StoredDefinition each : all) {
      requireRoom(column, each);
    }
    write(part, head("MODIFY", part.first(), old), all, placed(end, part.behind()));
  }

  /** A server may cut what does not fit, or make an empty text of NULL: nobody reads it again. */
  private void requireRoom(EncryptedColumn column, StoredDefinition definition) {
    Column now =
        names
            .schema(null, table.name())
            .flatMap(schema -> schema.column(definition.name()))
            .orElseThrow(() -> refused("MODIFY of a column that is not there", column, ELSEWHERE));
    if (definition.isRequired() && now.nullable()) {
      throw refused("MODIFY to NOT NULL", column, ELSEWHERE);
    }
    if (DefinitionText.characters(definition.type()) < DefinitionText.characters(now.type())) {
      throw refused(
          "MODIFY to a type that makes '" + definition.name() + "' shorter", column, ELSEWHERE);
    }
  }
}
