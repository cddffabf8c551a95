package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.Flavour;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.query.TriggerBody;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether what each data source computes for its own copy of a broadcast table is the same in all
 * of them. Only what is known to be is: a function that the table of functions does not have, and a
 * server's variable, may differ. Asks the databases at most once for each question. Blocks.
 */
public final class CopyChecks {

  private static final String HINT = "compute the value first";

  private final PlanTask task;
  private @Nullable Flavour flavour;

  public CopyChecks(PlanTask task) {
    this.task = task;
  }

  /** What may differ among the tokens {@code [from, to)}, as it is called; null: nothing. */
  public @Nullable String difference(SqlTokens tokens, int from, int to) {
    return tokens.between(from, to).search(token -> difference(tokens, token));
  }

  private @Nullable String difference(SqlTokens tokens, int token) {
    boolean variable =
        tokens.kind(token) == TokenKind.VARIABLE && tokens.text(token).startsWith("@@");
    if (variable || tokens.isOperator(token, ":=")) {
      return tokens.text(token);
    }
    SqlFunction function = FunctionUses.at(tokens, token);
    return function != null && mayDiffer(function) ? function.name() : null;
  }

  /**
   * Refuses what may differ in an UPDATE or DELETE. LAST_INSERT_ID(value) is its value there, and
   * the statement's answer that of one copy; where rows come in, it would count as a key of theirs.
   *
   * @throws RefusedException if something may differ
   */
  public void refuseChange(SqlTokens tokens, int from, int to) {
    TokenRange change = tokens.between(from, to);
    refuse(
        change.search(
            token ->
                SessionWords.giveInsertId(tokens, tokens.between(token, token + 1))
                    ? null
                    : difference(tokens, token)));
  }

  /**
   * @throws RefusedException if something may differ
   */
  public void refuse(SqlTokens tokens, int from, int to) {
    refuse(difference(tokens, from, to));
  }

  private static void refuse(@Nullable String found) {
    if (found != null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(found + " in a write to a broadcast table", HINT);
    }
  }

  /**
   * Refuses rows whose columns the databases fill by themselves with what may differ.
   *
   * @param given columns that the statement gives, in lower case
   */
  public void refuseDefaults(String table, Set<String> given) {
    for (Own own : owns(table)) {
      if (!given.contains(own.column().toLowerCase(Locale.ROOT))) {
        refuseDefault(table, own);
      }
    }
  }

  /** Refuses DEFAULT as a value, and DEFAULT(column), where one of the columns' may differ. */
  public void refuseMentionedDefaults(String table, SqlTokens tokens, int from, int to) {
    if (tokens.between(from, to).hasWord("DEFAULT")) {
      refuseDefaults(table, Set.of());
    }
  }

  /** Refuses new columns that the databases fill, in rows that are there, with what may differ. */
  public void refuseNewDefaults(SqlTokens tokens) {
    for (int token : tokens.all().words("DEFAULT")) {
      boolean opens = tokens.isPunctuation(token + 1, '(');
      int end = opens ? tokens.closing(token + 1) + 1 : token + 4;
      refuse(tokens, token + 1, Math.min(end, tokens.size()));
    }
  }

  private void refuseDefault(String table, Own own) {
    SqlTokens tokens = SqlTokens.of(own.expression());
    String found = difference(tokens, 0, tokens.size());
    if (found != null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "the DEFAULT of column '"
              + own.column()
              + "' of the broadcast table '"
              + table
              + "', which has "
              + found
              + ",",
          "give the column's value");
    }
  }

  /** Refuses writes to a table one of whose triggers may do different things to its copies. */
  public void refuseTriggers(String table) {
    refuseTriggers(table, new HashSet<>());
  }

  /**
   * @param seen tables whose triggers are looked at, in lower case
   */
  private void refuseTriggers(String table, Set<String> seen) {
    if (!seen.add(table.toLowerCase(Locale.ROOT))) {
      return;
    }
    String sql =
        "SELECT TRIGGER_NAME, ACTION_STATEMENT FROM information_schema.TRIGGERS"
            + " WHERE TRIGGER_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE = "
            + TableNames.literal(table);
    for (List<@Nullable String> row : rows(sql)) {
      SourceText body = SourceText.of(String.valueOf(row.get(1)), LexerMode.DEFAULT);
      String found = differenceOfProgram(body.tokens(), 0);
      var written = new Written();
      if (found == null) {
        new TriggerBody(body, 0).visit(written);
        found = written.keys;
      }
      if (found != null) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a write to the broadcast table '"
                + table
                + "', whose trigger '"
                + row.get(0)
                + "' uses "
                + found
                + ",",
            "give the value in statements");
      }
      written.tables.forEach(other -> refuseTriggers(other, seen));
    }
  }

  /** The tables that a program writes to, and the first key that it makes in one of them. */
  private final class Written implements TriggerBody.Uses {

    final List<String> tables = new ArrayList<>();
    @Nullable String keys;

    @Override
    public void reads(TableMention table) {
      // what is read is alike in all copies
    }

    @Override
    public void writes(TableMention table, String verb, int behind) {
      tables.add(table.name());
      keys = keys == null ? keysMade(table.name(), verb) : keys;
    }
  }

  /**
   * Which keys a program makes that writes to the table; null: none. The first copy's keys are
   * handed to the others for the rows of the statement alone, and no answer tells of others.
   *
   * @param verb as {@link TriggerBody} tells it
   */
  public @Nullable String keysMade(String table, String verb) {
    if (!verb.equals("INSERT") && !verb.equals("REPLACE")) {
      return null;
    }
    String endpoint = task.nearest(task.database().endpoints());
    boolean makes =
        task.catalog().table(endpoint, table).stream()
            .flatMap(schema -> schema.columns().stream())
            .anyMatch(SchemaCatalog.Column::autoIncrement);
    return makes ? "AUTO_INCREMENT of the table '" + table + "'" : null;
  }

  /** The same of a program: names in front of parentheses may be tables and their columns. */
  public @Nullable String differenceOfProgram(SqlTokens tokens, int from) {
    return tokens.from(from).search(token -> differenceOfProgramAt(tokens, token));
  }

  private @Nullable String differenceOfProgramAt(SqlTokens tokens, int token) {
    SqlFunction function = FunctionUses.at(tokens, token);
    if (function != null && mayDiffer(function) && !isTable(tokens, token)) {
      return function.name();
    }
    boolean variable =
        tokens.kind(token) == TokenKind.VARIABLE && tokens.text(token).startsWith("@");
    return variable ? tokens.text(token) : null;
  }

  private static boolean isTable(SqlTokens tokens, int token) {
    int first = tokens.isPunctuation(token - 1, '.') ? token - 2 : token;
    return tokens.isAnyWord(first - 1, "INTO", "REPLACE", "INSERT", "IGNORE");
  }

  private boolean mayDiffer(SqlFunction function) {
    if (function.differsByConnection() || function.is(Trait.CLOCK) || function.is(Trait.UNKNOWN)) {
      return true;
    }
    return function.flavours().size() < Flavour.values().length
        && !function.isSameEverywhere(flavour());
  }

  private Flavour flavour() {
    Flavour known = flavour;
    if (known == null) {
      List<List<@Nullable String>> rows = rows("SELECT VERSION()");
      String version = rows.isEmpty() ? "" : String.valueOf(rows.getFirst().getFirst());
      known = Flavour.ofVersion(version);
      flavour = known;
    }
    return known;
  }

  /** A column that is filled by an expression. */
  private record Own(String column, String expression) {}

  private List<Own> owns(String table) {
    String sql =
        "SELECT COLUMN_NAME, COLUMN_DEFAULT, EXTRA FROM information_schema.COLUMNS"
            + " WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_DEFAULT IS NOT NULL AND TABLE_NAME = "
            + TableNames.literal(table);
    var found = new ArrayList<Own>();
    List<List<@Nullable String>> rows = rows(sql);
    for (List<@Nullable String> row : rows) {
      String extra = String.valueOf(row.get(2)).toUpperCase(Locale.ROOT);
      // MySQL tells literals without their quotes, and says what is none
      if (extra.contains("DEFAULT_GENERATED") || flavour() == Flavour.MARIADB) {
        found.add(new Own(String.valueOf(row.get(0)), String.valueOf(row.get(1))));
      }
    }
    return found;
  }

  private List<List<@Nullable String>> rows(String sql) {
    return task.catalog().rows(task.nearest(task.database().endpoints()), sql);
  }
}
