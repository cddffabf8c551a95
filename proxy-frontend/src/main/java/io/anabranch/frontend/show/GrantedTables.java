package io.anabranch.frontend.show;

import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.right.Grants;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.sql.TableNames;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SHOW TABLES, SHOW TABLE STATUS and SHOW TRIGGERS of a database of which the user may see a part
 * only: a query of {@code information_schema}, which is kept to that.
 */
final class GrantedTables {

  /**
   * A list, and the table of {@code information_schema} that has its rows.
   *
   * @param seenBy who has one of these on all tables sees all rows
   * @param items {@code %s} is the column of names
   */
  private record Listing(
      Set<Privilege> seenBy, String table, String schemaColumn, String nameColumn, String items) {

    static Listing ofTables(String items) {
      return new Listing(Privilege.OF_TABLES, "TABLES", "TABLE_SCHEMA", "TABLE_NAME", items);
    }
  }

  private static final Listing TABLES = Listing.ofTables("TABLE_NAME AS %s");

  private static final Listing FULL_TABLES =
      Listing.ofTables("TABLE_NAME AS %s, TABLE_TYPE AS `Table_type`");

  private static final Listing STATUS =
      Listing.ofTables(
          "TABLE_NAME AS `Name`, ENGINE AS `Engine`, VERSION AS `Version`, ROW_FORMAT AS"
              + " `Row_format`, TABLE_ROWS AS `Rows`, AVG_ROW_LENGTH AS `Avg_row_length`,"
              + " DATA_LENGTH AS `Data_length`, MAX_DATA_LENGTH AS `Max_data_length`, INDEX_LENGTH"
              + " AS `Index_length`, DATA_FREE AS `Data_free`, AUTO_INCREMENT AS `Auto_increment`,"
              + " CREATE_TIME AS `Create_time`, UPDATE_TIME AS `Update_time`, CHECK_TIME AS"
              + " `Check_time`, TABLE_COLLATION AS `Collation`, CHECKSUM AS `Checksum`,"
              + " CREATE_OPTIONS AS `Create_options`, TABLE_COMMENT AS `Comment`");

  private static final Listing TRIGGERS =
      new Listing(
          Set.of(Privilege.TRIGGER),
          "TRIGGERS",
          "TRIGGER_SCHEMA",
          "EVENT_OBJECT_TABLE",
          "TRIGGER_NAME AS `Trigger`, EVENT_MANIPULATION AS `Event`, EVENT_OBJECT_TABLE AS `Table`,"
              + " ACTION_STATEMENT AS `Statement`, ACTION_TIMING AS `Timing`, CREATED AS `Created`,"
              + " SQL_MODE AS `sql_mode`, DEFINER AS `Definer`, CHARACTER_SET_CLIENT AS"
              + " `character_set_client`, COLLATION_CONNECTION AS `collation_connection`,"
              + " DATABASE_COLLATION AS `Database Collation`");

  private GrantedTables() {}

  static boolean concerns(SqlTokens tokens, Session session) {
    Grants grants = session.user().grants();
    Listing listing = listing(tokens);
    if (grants.isUnlimited() || listing == null) {
      return false;
    }
    String database = database(tokens, session);
    return database != null && !grants.allowAny(listing.seenBy(), database, Grant.ANY);
  }

  private static @Nullable Listing listing(SqlTokens tokens) {
    int at = words(tokens);
    if (tokens.isWord(at, "TABLES")) {
      boolean isFull = tokens.isWord(1, "FULL") || tokens.isWord(2, "FULL");
      return isFull ? FULL_TABLES : TABLES;
    }
    if (tokens.isWord(at, "TRIGGERS")) {
      return TRIGGERS;
    }
    return tokens.isWord(at, "TABLE") && tokens.isWord(at + 1, "STATUS") ? STATUS : null;
  }

  /** Where it says what is listed. */
  private static int words(SqlTokens tokens) {
    return tokens.from(1).skipWords("FULL", "EXTENDED");
  }

  /** Behind the words that say what is listed. */
  private static int behindWords(SqlTokens tokens) {
    int at = words(tokens);
    return tokens.isWord(at, "TABLE") ? at + 2 : at + 1;
  }

  private static boolean isNamed(SqlTokens tokens, int at) {
    return tokens.isWord(at, "FROM") || tokens.isWord(at, "IN");
  }

  /** The logical database; null: a schema of the server, or none is selected. */
  private static @Nullable String database(SqlTokens tokens, Session session) {
    int at = behindWords(tokens);
    boolean isNamed = isNamed(tokens, at) && tokens.isName(at + 1);
    Backend of = isNamed ? session.deployment().backend(tokens.name(at + 1)) : session.backend();
    return of == null ? null : of.database().name();
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException 1064 if anything but a pattern or a condition
   *     follows
   */
  static String query(SourceText source, Session session) {
    SqlTokens tokens = source.tokens();
    Listing listing = listing(tokens);
    String database = database(tokens, session);
    if (listing == null || database == null) {
      throw Syntax.near(source);
    }
    int at = behindWords(tokens);
    int condition = isNamed(tokens, at) ? at + 2 : at;
    String rows =
        "SELECT "
            + listing.items().replace("%s", TableNames.quoted("Tables_in_" + database))
            + " FROM information_schema."
            + listing.table()
            + " WHERE "
            + listing.schemaColumn()
            + " = "
            + TableNames.literal(database);
    String order = " ORDER BY " + listing.nameColumn();
    if (tokens.isWord(condition, "LIKE")) {
      Syntax.requireEnd(source, condition + 2);
      boolean isPattern =
          condition + 1 < tokens.size() && tokens.kind(condition + 1) == TokenKind.STRING;
      if (!isPattern) {
        throw Syntax.near(source.text(), tokens.start(condition));
      }
      return rows + " AND " + listing.nameColumn() + " LIKE " + tokens.text(condition + 1) + order;
    }
    if (tokens.isWord(condition, "WHERE") && condition + 1 < tokens.size()) {
      String text =
          source.text().substring(tokens.start(condition + 1), end(source, condition + 1));
      return "SELECT * FROM (" + rows + ") AS listing WHERE (" + text + ") ORDER BY 1";
    }
    Syntax.requireEnd(source, condition);
    return rows + order;
  }

  /**
   * Where the condition from {@code first} on ends.
   *
   * @throws io.anabranch.rules.error.RefusedException if the text goes on behind it
   */
  private static int end(SourceText source, int first) {
    SqlTokens tokens = source.tokens();
    if (tokens.from(first).has(token -> tokens.kind(token).isMark())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a comment in SHOW, by users with grants", "write it without");
    }
    int outside = tokens.from(first).find(token -> tokens.depth(token) < tokens.depth(first));
    if (outside >= 0) {
      throw Syntax.near(source.text(), tokens.start(outside));
    }
    return tokens.end(tokens.size() - 1);
  }
}
