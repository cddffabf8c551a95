package io.anabranch.frontend.show;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.right.Grants;
import org.jspecify.annotations.Nullable;

/**
 * SHOW TABLES and SHOW TABLE STATUS of a database of which the user may see some tables only: a
 * query of {@code information_schema}, which is kept to those.
 */
final class GrantedTables {

  private static final String STATUS =
      "TABLE_NAME AS `Name`, ENGINE AS `Engine`, VERSION AS `Version`, ROW_FORMAT AS `Row_format`,"
          + " TABLE_ROWS AS `Rows`, AVG_ROW_LENGTH AS `Avg_row_length`, DATA_LENGTH AS"
          + " `Data_length`, MAX_DATA_LENGTH AS `Max_data_length`, INDEX_LENGTH AS `Index_length`,"
          + " DATA_FREE AS `Data_free`, AUTO_INCREMENT AS `Auto_increment`, CREATE_TIME AS"
          + " `Create_time`, UPDATE_TIME AS `Update_time`, CHECK_TIME AS `Check_time`,"
          + " TABLE_COLLATION AS `Collation`, CHECKSUM AS `Checksum`, CREATE_OPTIONS AS"
          + " `Create_options`, TABLE_COMMENT AS `Comment`";

  private GrantedTables() {}

  static boolean concerns(SqlTokens tokens, Session session) {
    Grants grants = session.user().grants();
    if (grants.isUnlimited() || subject(tokens) < 0) {
      return false;
    }
    String database = database(tokens, session);
    return database != null && !grants.reachAllTables(database);
  }

  /** Where TABLES or STATUS stands; -1: it is no such statement. */
  private static int subject(SqlTokens tokens) {
    int at = 1;
    while (tokens.isWord(at, "FULL") || tokens.isWord(at, "EXTENDED")) {
      at++;
    }
    if (tokens.isWord(at, "TABLES")) {
      return at;
    }
    return tokens.isWord(at, "TABLE") && tokens.isWord(at + 1, "STATUS") ? at + 1 : -1;
  }

  private static boolean isNamed(SqlTokens tokens, int subject) {
    return tokens.isWord(subject + 1, "FROM") || tokens.isWord(subject + 1, "IN");
  }

  /** The logical database; null: a schema of the server, or none is selected. */
  private static @Nullable String database(SqlTokens tokens, Session session) {
    int subject = subject(tokens);
    Backend of =
        isNamed(tokens, subject)
            ? session.deployment().backend(tokens.name(subject + 2))
            : session.backend();
    return of == null ? null : of.database().name();
  }

  static String query(SourceText source, Session session) {
    SqlTokens tokens = source.tokens();
    int subject = subject(tokens);
    String database = String.valueOf(database(tokens, session));
    int condition = isNamed(tokens, subject) ? subject + 3 : subject + 1;
    String columns = STATUS;
    if (tokens.isWord(subject, "TABLES")) {
      boolean isFull = tokens.isWord(1, "FULL") || tokens.isWord(2, "FULL");
      columns = "TABLE_NAME AS `Tables_in_" + database.replace("`", "``") + "`";
      columns += isFull ? ", TABLE_TYPE AS `Table_type`" : "";
    }
    String rows =
        "SELECT "
            + columns
            + " FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
            + database.replace("'", "''")
            + "'";
    String rest = source.text().substring(tokens.start(condition));
    if (tokens.isWord(condition, "LIKE")) {
      return rows + " AND TABLE_NAME " + rest + " ORDER BY TABLE_NAME";
    }
    if (tokens.isWord(condition, "WHERE")) {
      return "SELECT * FROM (" + rows + ") AS listing " + rest + " ORDER BY 1";
    }
    if (condition < tokens.size()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SHOW TABLES of this form, by users with grants", "use LIKE or WHERE");
    }
    return rows + " ORDER BY TABLE_NAME";
  }
}
