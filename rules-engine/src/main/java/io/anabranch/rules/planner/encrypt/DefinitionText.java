package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.TextAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** CREATE TABLE: an encrypted column becomes those that are stored, wide enough for its values. */
final class DefinitionText {

  /** Base64 of a block more than the text, a nonce and a tag, with a key's id in front. */
  private static final int OVERHEAD = 128;

  private static final int BYTES_OF_CHARACTER = 4;
  private static final int LONGEST = 16_000;
  private static final int NO_KEY = -1;

  private final StoredText text;
  private final SqlTokens tokens;
  private final EncryptedNames names;

  DefinitionText(StoredText text, EncryptedNames names) {
    this.text = text;
    this.tokens = text.tokens();
    this.names = names;
  }

  /** False: the statement makes another table. */
  boolean write() {
    int at = tokens.isWord(2, "IF") ? 5 : 2;
    TableMention mention = TableMention.at(text.source(), at);
    EncryptedTable table = names.ownTable(mention);
    if (table == null) {
      return false;
    }
    int open = mention.behind();
    int close = tokens.isPunctuation(open, '(') ? tokens.closing(open) : open;
    boolean isLike = tokens.isWord(open + 1, "LIKE") || tokens.isWord(open + 1, "SELECT");
    if (close == open || close == tokens.size() || isLike) {
      throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
          "CREATE TABLE … LIKE or SELECT", table.name(), "write the definition");
    }
    if (tokens.from(close + 1).hasWord("SELECT", "PARTITION")) {
      throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
          "CREATE TABLE … SELECT or PARTITION BY", table.name(), "make it on the data source");
    }
    text.understand(mention.first(), mention.behind());
    clauses(table, open + 1, close);
    return true;
  }

  /** Writes definitions of columns and keys. */
  void clauses(EncryptedTable table, int from, int to) {
    List<Span> parts = tokens.between(from, to).parts();
    var taken = new HashSet<String>();
    parts.stream()
        .filter(part -> isKey(part.first()))
        .flatMap(
            part ->
                tokens.between(part.first(), opening(part.first(), part.behind())).names().stream())
        .forEach(name -> taken.add(tokens.lowerName(name)));
    for (Span part : parts) {
      if (isKey(part.first())) {
        key(table, part.first(), part.behind(), taken);
      } else {
        column(table, part.first(), part.behind(), taken);
      }
    }
  }

  /** Writes the definition of a key. */
  void key(EncryptedTable table, int first, int behind) {
    key(table, first, behind, new HashSet<>());
  }

  private void key(EncryptedTable table, int first, int behind, Set<String> taken) {
    keyParts(table, first, first, behind);
    nameKey(table, first, behind, taken);
  }

  /** The first parenthesis in {@code [first, behind)}; {@code behind}: there is none. */
  private int opening(int first, int behind) {
    int open = tokens.between(first + 1, behind).find(at -> tokens.isPunctuation(at, '('));
    return open < 0 ? behind : open;
  }

  /** Servers call a key without a name by its first column, with a number if that is taken. */
  private static String free(String column, Set<String> taken) {
    String name = column;
    for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = column + "_" + i;
    }
    return name;
  }

  /** Whether a definition is no column's. */
  boolean isKey(int first) {
    return DdlSyntax.isKey(tokens, first);
  }

  private void column(EncryptedTable table, int first, int behind, Set<String> taken) {
    EncryptedColumn column = table.column(tokens.name(first));
    if (column == null) {
      keyParts(table, NO_KEY, first, behind);
      return;
    }
    var all = new ArrayList<String>();
    for (StoredDefinition each : stored(column, first, behind)) {
      all.add(each.withoutKey());
      if (each.isUnique()) {
        all.add(
            "UNIQUE KEY "
                + TableNames.quoted(free(column.name(), taken))
                + " ("
                + TableNames.quoted(each.name())
                + ")");
      }
    }
    text.replace(first, behind, String.join(", ", all));
  }

  /**
   * Writes the columns of a key in {@code [first, behind)}.
   *
   * @param kind the word that says what key it is; {@link #NO_KEY}: it is none
   */
  void keyParts(EncryptedTable table, int kind, int first, int behind) {
    for (int name : tokens.between(first, behind).names()) {
      EncryptedColumn named = table.column(tokens.name(name));
      if (named != null && kind != NO_KEY && isKeyPart(first, name)) {
        key(named, kind, name);
        continue;
      }
      EncryptedColumn mentioned = named == null ? table.ofStored(tokens.name(name)) : named;
      // the key's own name
      boolean isName = kind != NO_KEY && tokens.depth(name) == tokens.depth(first);
      if (mentioned != null && !isName) {
        throw refused("this definition", mentioned, "define it on the data source");
      }
    }
  }

  private boolean isKeyPart(int first, int token) {
    boolean begins = tokens.isPunctuation(token - 1, '(') || tokens.isPunctuation(token - 1, ',');
    boolean ends = tokens.isPunctuation(token + 1, ')') || tokens.isPunctuation(token + 1, ',');
    return begins && ends && tokens.depth(token) == tokens.depth(first) + 1;
  }

  private void nameKey(EncryptedTable table, int first, int behind, Set<String> taken) {
    int open = opening(first, behind);
    EncryptedColumn column = tokens.isName(open + 1) ? table.column(tokens.name(open + 1)) : null;
    boolean isNamed =
        tokens.isWord(first, "PRIMARY")
            || (tokens.isWord(first, "CONSTRAINT") && !tokens.isWord(first + 1, "UNIQUE"))
            || !tokens.isAnyWord(open - 1, "UNIQUE", "KEY", "INDEX");
    if (column != null && open < behind && !isNamed) {
      text.append(open - 1, " " + TableNames.quoted(free(column.name(), taken)) + " ");
    }
  }

  private void key(EncryptedColumn column, int first, int token) {
    Stored stored = column.equality();
    boolean isPlain =
        tokens.isWord(first, "PRIMARY")
            || tokens.isWord(first, "UNIQUE")
            || tokens.isWord(first, "KEY")
            || tokens.isWord(first, "INDEX")
            || (tokens.isWord(first, "CONSTRAINT")
                && (tokens.isWord(first + 2, "UNIQUE") || tokens.isWord(first + 1, "UNIQUE")));
    if (stored == null || !isPlain) {
      throw refused("this key", column, "add an assistedQuery column, whose values are comparable");
    }
    text.replace(token, token + 1, TableNames.quoted(stored.name()));
  }

  private static RefusedException refused(String what, EncryptedColumn column, String wayOut) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(what, column.name(), wayOut);
  }

  // ---------------------------------------------------------------- columns

  /**
   * A stored column; its text is its definition.
   *
   * @param type as SQL
   * @param rest what follows the type
   */
  record StoredDefinition(
      String name, String type, String rest, boolean isRequired, boolean isUnique) {

    String withoutKey() {
      return TableNames.quoted(name) + " " + type + rest;
    }

    @Override
    public String toString() {
      return withoutKey() + (isUnique ? " UNIQUE" : "");
    }
  }

  /** Whether the column's definition says NOT NULL. */
  boolean isRequired(EncryptedColumn column, int first, int behind) {
    return stored(column, first, behind).getFirst().isRequired();
  }

  /**
   * What is stored for a column.
   *
   * @param first its name in its definition
   */
  List<StoredDefinition> stored(EncryptedColumn column, int first, int behind) {
    int at = first + 1;
    String type = tokens.text(at).toUpperCase(Locale.ROOT);
    int length = -1;
    if (tokens.isPunctuation(at + 1, '(')
        && tokens.isPunctuation(at + 3, ')')
        && tokens.wholeNumber(at + 2) >= 0) {
      length = (int) Math.min(tokens.wholeNumber(at + 2), Integer.MAX_VALUE);
      at += 3;
    }
    String wide = wide(column, type, length);
    TextAttributes attributes = attributes(column, at + 1, behind);
    var definitions = new ArrayList<StoredDefinition>();
    for (Stored stored : column.stored()) {
      boolean isLike = stored.equals(column.like());
      String charset = isLike ? attributes.charset() : " CHARACTER SET ascii COLLATE ascii_bin";
      definitions.add(
          new StoredDefinition(
              stored.name(),
              isLike
                  ? type + (length < 0 ? "" : "(" + length + ")")
                  : type(stored.encryptor(), wide),
              charset
                  + (attributes.isRequired() ? " NOT NULL" : "")
                  + (stored.equals(column.cipher()) ? attributes.comment() : ""),
              attributes.isRequired(),
              attributes.unique() >= 0 && stored.equals(column.equality())));
    }
    return definitions;
  }

  /** How many characters a type of strings has at least; 0: it is no such type. */
  static long characters(String type) {
    String lower = type.toLowerCase(Locale.ROOT);
    int open = lower.indexOf('(');
    String name = open < 0 ? lower : lower.substring(0, open);
    return switch (name) {
      case "char", "varchar" ->
          open < 0 ? 1 : Long.parseLong(lower.substring(open + 1, lower.indexOf(')', open)));
      case "tinytext" -> 63;
      case "text" -> 16_383;
      case "mediumtext" -> 4_194_303;
      case "longtext" -> 1_073_741_823;
      default -> 0;
    };
  }

  /** Digests are as long for every value. */
  private static String type(Encryptor encryptor, String wide) {
    if (encryptor.isDeterministic() && encryptor.decryptor() == null) {
      int length = encryptor.encrypt("").length();
      if (length == encryptor.encrypt("0123456789012345678901234567890123456789").length()) {
        return "VARCHAR(" + length + ")";
      }
    }
    return wide;
  }

  private static String wide(EncryptedColumn column, String type, int length) {
    return switch (type) {
      case "CHAR", "VARCHAR" -> {
        int characters = Math.max(1, length);
        long needed = (long) characters * BYTES_OF_CHARACTER * 4 / 3 + OVERHEAD;
        yield needed <= LONGEST ? "VARCHAR(" + needed + ")" : "MEDIUMTEXT";
      }
      case "TINYTEXT" -> "TEXT";
      case "TEXT" -> "MEDIUMTEXT";
      case "MEDIUMTEXT", "LONGTEXT" -> "LONGTEXT";
      default -> throw refused("the type " + type, column, "declare it VARCHAR, CHAR or TEXT");
    };
  }

  /** Those of each stored column alike. */
  private TextAttributes attributes(EncryptedColumn column, int from, int behind) {
    var attributes = TextAttributes.read(tokens, from, behind);
    boolean isRefused = attributes.unique() >= 0 && column.equality() == null;
    int refused = isRefused ? attributes.unique() : attributes.other();
    if (refused >= 0) {
      throw refused(
          "the attribute " + tokens.text(refused),
          column,
          "leave it out, or define what is stored");
    }
    return attributes;
  }
}
