package io.anabranch.rules.planner.endpoint;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of databases in a statement that passes through: the logical name becomes the server's,
 * those that the server does not have are refused, and so is every use of the logical name that is
 * not understood.
 */
public final class SchemaNames {

  /** Statements of the kind OTHER in which every schema's name is found. */
  private static final Set<String> READ =
      Set.of(
          "BEGIN",
          "IF",
          "CASE",
          "LOOP",
          "WHILE",
          "REPEAT",
          "FOR",
          "HELP",
          "CACHE",
          "LOAD",
          "BACKUP",
          "SIGNAL",
          "RESIGNAL",
          "GET",
          "LOCK",
          "UNLOCK");

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SqlTokens tokens;
  private final List<Integer> own = new ArrayList<>();

  /** The first one that may be the database or an alias of its name. */
  private @Nullable SchemaMention doubtful;

  /**
   * @throws RefusedException if a database is named that the statement cannot reach
   */
  public SchemaNames(PlanTask task, SqlTokens tokens) {
    this.task = task;
    this.database = task.database();
    this.tokens = tokens;
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      String name = tokens.name(mention.token());
      if (name.equalsIgnoreCase(database.name())) {
        own(mention);
      } else if (!mention.isDoubtful() && mention.isSchema() && isOutOfReach(name)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a table of another logical database (" + name.toLowerCase(Locale.ROOT) + ")",
            "USE that database first");
      }
    }
  }

  private void own(SchemaMention mention) {
    if (mention.isSchema()) {
      own.add(mention.token());
    } else if (mention.isDoubtful() && doubtful == null) {
      doubtful = mention;
    }
  }

  private boolean isOutOfReach(String name) {
    LogicalDatabase other = task.rules().database(name);
    return other != null && !database.isBeside(other) && !isMadeHere(name);
  }

  /** Whether the statement makes, changes or drops a database that clients may make here. */
  private boolean isMadeHere(String name) {
    int object = tokens.isWord(1, "OR") ? 3 : 1;
    return tokens.isAnyWord(0, "CREATE", "ALTER", "DROP")
        && tokens.isAnyWord(object, "DATABASE", "SCHEMA")
        && database.creation().takes(name);
  }

  /** Whether the statement has the logical name in any place and any meaning. */
  public static boolean isMentioned(SqlTokens tokens, String name) {
    return tokens.all().hasName(name) || spells(tokens, name);
  }

  /** Whether the database itself is named. */
  public boolean hasOwn() {
    return !own.isEmpty();
  }

  /** Whether the database is called otherwise than {@code schema}, be it in other letters. */
  public boolean hasOtherThan(String schema) {
    return own.stream().anyMatch(token -> !tokens.name(token).equals(schema));
  }

  /** Whether a string has the name in it. */
  static boolean spells(SqlTokens tokens, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return tokens
        .all()
        .has(
            token ->
                tokens.kind(token) == TokenKind.STRING
                    && tokens.text(token).toLowerCase(Locale.ROOT).contains(lower));
  }

  /**
   * Puts the server's name in the place of the logical one, which is another.
   *
   * @throws RefusedException where it may be something else, or may be hidden
   */
  public void replace(SourceEdits edits, String schema) {
    SchemaMention unclear = doubtful;
    if (unclear != null) {
      String name = tokens.text(unclear.token());
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the name "
              + name
              + " in '"
              + around(unclear.token())
              + "', which may be the database,"
              + " a table or an alias",
          "leave the database's name out, or use another alias");
    }
    refuseHidden();
    for (int token : own) {
      edits.replace(
          edits.start(token), edits.end(token), List.of(edits.text(TableNames.quoted(schema))));
    }
  }

  private String around(int token) {
    int behind = Math.min(token + 3, tokens.size());
    return String.join("", tokens.between(token, behind).texts());
  }

  /** Texts that a server reads as statements or as lists of databases. */
  private void refuseHidden() {
    boolean isDynamic = tokens.all().hasWord("PREPARE", "IMMEDIATE");
    boolean isString = spells(tokens, database.name());
    boolean isBare =
        tokens
            .all()
            .has(
                token ->
                    tokens.isName(token)
                        && tokens.name(token).equalsIgnoreCase(database.name())
                        && !own.contains(token));
    if (isDynamic && isString) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a text with the database's name in PREPARE or EXECUTE IMMEDIATE of a program",
          "leave the name out");
    }
    boolean isOther = task.scan().kind() == StatementKind.OTHER && !READ.contains(tokens.word(0));
    boolean isOfSystem = tokens.isWord(0, "CALL") && tokens.isWord(1, "sys");
    if ((isOther && (isBare || isString)) || (isOfSystem && isString)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the database's name in " + tokens.text(0).toUpperCase(Locale.ROOT),
          "run it on the data source itself, which calls the database otherwise");
    }
  }
}
