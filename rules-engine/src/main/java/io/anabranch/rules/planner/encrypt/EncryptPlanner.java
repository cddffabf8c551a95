package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode.Decrypted.Cell;
import io.anabranch.rules.plan.PlanNode.Decrypted.Texts;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.answer.AnswerColumns;
import io.anabranch.rules.planner.encrypt.Source.Output;
import io.anabranch.rules.planner.encrypt.stored.EncryptedPlan;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.planner.show.ExplainPlanner;
import io.anabranch.rules.planner.view.ViewPlanner;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.qualifier.DisguisedNames;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * In front of the planners of a database with encrypted columns. Statements that name none of its
 * encrypted tables go on as they are; the others are rewritten, or refused.
 *
 * @param statements plans what comes out
 */
public record EncryptPlanner(KindPlanner statements) implements KindPlanner {

  /** The collation of that name: {@code SET NAMES binary}. */
  private static final int BINARY = 63;

  private static final Set<String> MODIFIERS =
      Set.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO");

  @Override
  public StatementPlan plan(PlanTask task) {
    if (task.database().encryption().isEmpty()) {
      return statements.plan(task);
    }
    SqlTokens tokens = task.source().tokens();
    Set<String> named = tokens.names();
    var names = new EncryptedNames(task);
    names.refuseDetours(named, isRowsAlone(task, names), name -> isGone(task, name));
    refuseComputed(task, tokens);
    refuse(DisguisedNames.first(tokens));
    Set<String> tables = names.mentioned(named);
    if (tables.isEmpty()) {
      return names.keptOrNot(statements.plan(task));
    }
    refuse(DisguisedNames.alike(tokens, names.columns(tables)));
    return names.keptOrNot(new Rewriting(task, new StoredText(task), names, tables).plan());
  }

  private static void refuse(@Nullable String disguised) {
    if (disguised != null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the name '" + disguised + "' beside encrypted columns, for servers read it as another",
          "write it as its table has it");
    }
  }

  /** Texts that a server puts together may name any table. */
  private static void refuseComputed(PlanTask task, SqlTokens tokens) {
    StatementKind kind = task.scan().kind();
    if (kind != StatementKind.OTHER && kind != StatementKind.CREATE) {
      return;
    }
    if (tokens.all().hasWord("PREPARE", "IMMEDIATE")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "PREPARE or EXECUTE IMMEDIATE in a program beside encrypted columns",
          "write the statements plainly");
    }
  }

  /** Whether the statement drops what it names so, or is about nothing but how that view reads. */
  private static boolean isGone(PlanTask task, String name) {
    SqlTokens tokens = task.source().tokens();
    return switch (task.scan().kind()) {
      case DROP -> true;
      case CREATE, ALTER -> {
        int view = ViewPlanner.view(tokens);
        TableMention defined = view < 0 ? null : ViewPlanner.named(task.source(), view);
        yield defined != null
            && defined.name().equalsIgnoreCase(name)
            && !tokens.names(defined.behind(), tokens.size()).contains(name);
      }
      default -> false;
    };
  }

  private static boolean isRowsAlone(PlanTask task, EncryptedNames names) {
    StatementKind kind = task.scan().kind();
    if (kind != StatementKind.INSERT && kind != StatementKind.REPLACE) {
      return false;
    }
    SqlTokens tokens = task.source().tokens();
    if (tokens.all().hasWord("SELECT", "TABLE")) {
      return false;
    }
    int at = tokens.from(tokens.behindVerb()).skip(each -> MODIFIERS.contains(tokens.word(each)));
    boolean isPlain = tokens.isName(at) && !tokens.isPunctuation(at + 1, '.');
    if (!isPlain) {
      return false;
    }
    return names.schema(null, tokens.name(at)).filter(schema -> schema.view() == null).isPresent();
  }

  /**
   * Refuses statements that name an encrypted table of another database: this one's planners know
   * nothing of it.
   */
  public static void refuseOthers(PlanTask task) {
    for (LogicalDatabase other : task.rules().databases().values()) {
      if (other.encryption().isEmpty() || other.equals(task.database())) {
        continue;
      }
      SqlTokens tokens = task.source().tokens();
      Set<String> named =
          tokens.all().where(token -> isOf(other, tokens, token)).stream()
              .map(tokens::lowerName)
              .collect(Collectors.toSet());
      String encrypted = named.isEmpty() ? null : new EncryptedNames(task.in(other)).any(named);
      if (encrypted != null) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "a statement of another database", encrypted, "USE " + other.name() + " first");
      }
    }
  }

  /**
   * A statement that no planner sees, but a server computes what is in it.
   *
   * @param end of the tokens that are looked at
   * @throws RefusedException if a query in it names an encrypted table
   */
  public static void refuseReading(SqlTokens tokens, int end, RuleSet rules) {
    if (!Subqueries.are(tokens, end)) {
      return;
    }
    for (LogicalDatabase database : rules.databases().values()) {
      for (int name : tokens.between(0, end).names()) {
        EncryptedTable table = database.encryption().table(tokens.name(name));
        if (table != null) {
          throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
              "a query within " + tokens.text(0).toUpperCase(Locale.ROOT),
              table.name(),
              "use SELECT … INTO, or read it first");
        }
      }
    }
  }

  /** Whether a name has the database in front. */
  private static boolean isOf(LogicalDatabase database, SqlTokens tokens, int token) {
    return tokens.isName(token)
        && tokens.isPunctuation(token - 1, '.')
        && tokens.isName(token - 2)
        && isNamed(database, tokens.name(token - 2));
  }

  private static boolean isNamed(LogicalDatabase database, String name) {
    return database.name().equalsIgnoreCase(name)
        || database.dataSources().values().stream()
            .anyMatch(source -> source.schema().equalsIgnoreCase(name));
  }

  /** One statement. */
  private final class Rewriting {

    private final PlanTask task;
    private final StoredText text;
    private final SqlTokens tokens;
    private final EncryptedNames names;
    private final Set<String> tables;

    Rewriting(PlanTask task, StoredText text, EncryptedNames names, Set<String> tables) {
      this.task = task;
      this.text = text;
      this.tokens = text.tokens();
      this.names = names;
      this.tables = tables;
    }

    private RefusedException refused(String what, String wayOut) {
      return ErrorCatalogue.ENCRYPTED_TABLE.refuse(what, tables.iterator().next(), wayOut);
    }

    StatementPlan plan() {
      if (StatementHints.of(task.scan(), task.scope().charset()).dataSource() != null) {
        throw refused("the hint DATA_SOURCE_NAME", "leave it out");
      }
      if (tokens.all().hasKind(TokenKind.EXECUTABLE_START)) {
        throw refused("a comment that is executed", "write its text plainly");
      }
      if (tables.stream().anyMatch(this::isHidden)) {
        throw refused("a temporary table of the same name", "drop the temporary table");
      }
      StatementKind kind = task.scan().kind();
      return switch (kind) {
        case SELECT, QUERY_EXPRESSION -> query();
        case INSERT, REPLACE -> insert();
        case UPDATE, DELETE -> change(kind);
        case DROP, TRUNCATE, LOCK_TABLES, FLUSH, TABLE_MAINTENANCE -> untouched();
        case CREATE -> created();
        case ALTER -> altered();
        case SHOW, DESCRIBE -> shown();
        case LOAD_DATA -> new LoadText(task, text, names).plan(names.columns(tables));
        default ->
            throw refused(
                kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                "use SELECT, INSERT, UPDATE or DELETE");
      };
    }

    /** Whether the session has a temporary table by one of the ways to write a name. */
    private boolean isHidden(String name) {
      TemporaryTables own = task.scope().temporaries();
      return !own.isEmpty()
          && tokens.spellings().getOrDefault(name, Set.of()).stream()
              .anyMatch(spelling -> own.find(spelling) != null);
    }

    private StatementPlan untouched() {
      return statements.plan(task);
    }

    // -------------------------------------------------------------- queries

    private StatementPlan query() {
      var queries = new QueryText(text, names);
      Set<String> watched = names.columns(tables);
      watched.addAll(queries.aliases());
      expressions(queries).write(0, tokens.size(), watched);
      names.requireUnderstood(text);
      List<Scope> legs = queries.legs().legs(QueryLegs.TOP);
      List<Output> outputs = legs.isEmpty() ? List.of() : queries.outputs().outputs(QueryLegs.TOP);
      return planned(cells(outputs), outputs.size(), true);
    }

    private Expressions expressions(QueryText queries) {
      String mode = task.scope().sqlMode().toUpperCase(Locale.ROOT);
      return new Expressions(text, queries, mode.contains("HIGH_NOT_PRECEDENCE"));
    }

    // -------------------------------------------------------------- changes

    private StatementPlan insert() {
      var queries = new QueryText(text, names);
      var insert = new InsertText(text, names, queries);
      Set<String> watched = names.columns(tables);
      watched.addAll(queries.aliases());
      insert.write();
      if (insert.isQuery()) {
        refuseReturning();
        expressions(queries).write(0, tokens.size(), watched);
        names.requireUnderstood(text);
        return planned(List.of(), 0, false);
      }
      return written(queries, watched);
    }

    /** A change of rows, whose values are written. */
    private StatementPlan written(QueryText queries, Set<String> watched) {
      int returning = InsertSyntax.findReturning(tokens, 1);
      boolean returns = returning < tokens.size();
      if (returns) {
        queries.returned(returning);
      }
      Expressions expressions = expressions(queries);
      expressions.write(0, returning, watched);
      expressions.refuse(returning, tokens.size(), watched, "an expression in RETURNING");
      names.requireUnderstood(text);
      List<Output> outputs =
          returns ? queries.outputs().outputs(queries.scopes().statement()) : List.of();
      return planned(cells(outputs), outputs.size(), returns);
    }

    private static List<Cell> cells(List<Output> outputs) {
      var cells = new ArrayList<Cell>();
      for (int i = 0; i < outputs.size(); i++) {
        EncryptedColumn column = outputs.get(i).column();
        if (column != null) {
          cells.add(new Cell(i, column.name(), column.cipher().encryptor()));
        }
      }
      return cells;
    }

    private StatementPlan change(StatementKind kind) {
      var queries = new QueryText(text, names);
      var change = new ChangeText(text, queries);
      Set<String> watched = names.columns(tables);
      if (kind == StatementKind.UPDATE) {
        change.readUpdate();
      } else {
        change.readDelete();
      }
      watched.addAll(queries.aliases());
      if (kind == StatementKind.UPDATE) {
        change.assignments(watched);
      }
      return written(queries, watched);
    }

    private void refuseReturning() {
      int returning = InsertSyntax.findReturning(tokens, 1);
      if (tokens
          .from(returning + 1)
          .has(
              token ->
                  (tokens.isWord(token - 1, "RETURNING")
                          || tokens.isPunctuation(token - 1, ',')
                          || tokens.isPunctuation(token - 1, '.'))
                      && tokens.isOperator(token, "*"))) {
        throw refused("RETURNING *", "name columns that are not encrypted");
      }
    }

    // -------------------------------------------------------------- definitions

    /** CREATE or ALTER VIEW. */
    private StatementPlan viewed(int view) {
      var queries = new QueryText(text, names);
      var definition = new ViewText(text, queries);
      int columns = definition.read(view);
      Set<String> watched = names.columns(tables);
      watched.addAll(queries.aliases());
      expressions(queries).write(0, tokens.size(), watched);
      definition.names(columns);
      names.requireUnderstood(text);
      return planned(List.of(), 0, false);
    }

    private StatementPlan created() {
      int view = ViewPlanner.view(tokens);
      if (view > 0) {
        return viewed(view);
      }
      int at = 1;
      boolean isTable = tokens.isWord(at, "TABLE");
      if (!isTable && !tokens.isWord(at, "INDEX") && !tokens.isWord(at + 1, "INDEX")) {
        throw refused("CREATE " + tokens.text(at), "make it on the data source itself");
      }
      if (!isTable) {
        int index = tokens.isWord(at, "INDEX") ? at : at + 1;
        if (AlterText.writeIndex(text, names, index)) {
          return rewritten();
        }
        refuseWatched("an index on an encrypted column");
        return untouched();
      }
      requireApart();
      if (new DefinitionText(text, names).write()) {
        return planned(List.of(), 0, false);
      }
      if (tokens.from(2).hasWord("SELECT", "LIKE", "TABLE", "WITH")) {
        throw refused("CREATE TABLE … LIKE or SELECT", "write the definition");
      }
      return untouched();
    }

    private StatementPlan altered() {
      int view = ViewPlanner.view(tokens);
      if (view > 0) {
        return viewed(view);
      }
      DdlSyntax syntax = requireApart();
      if (AlterText.write(text, names)) {
        return rewritten();
      }
      refuseWatched("ALTER of an encrypted column");
      if (!syntax.renamed().isEmpty()) {
        throw refused("RENAME", "change the rule first");
      }
      return untouched();
    }

    /**
     * What is stored may not be read or written by the name of a table without the rule, nor rows
     * of such a table by this one's.
     */
    private DdlSyntax requireApart() {
      DdlSyntax syntax = DdlSyntax.read(text.source());
      for (TableMention table : syntax.together()) {
        EncryptedTable encrypted = names.ownTable(table);
        if (encrypted != null) {
          throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
              syntax.joining(tokens), encrypted.name(), "move the rows by INSERT … SELECT");
        }
      }
      return syntax;
    }

    /** The definition over stored columns, if something has become another. */
    private StatementPlan rewritten() {
      return text.isChanged() ? planned(List.of(), 0, false) : untouched();
    }

    private void refuseWatched(String what) {
      Set<String> watched = names.columns(tables);
      int found = tokens.all().findName(watched);
      if (found >= 0) {
        throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
            what, tokens.name(found), "define what is stored on the data source itself");
      }
    }

    // -------------------------------------------------------------- SHOW

    private StatementPlan shown() {
      if (task.scan().kind() == StatementKind.DESCRIBE && ExplainPlanner.statement(tokens) == 1) {
        if (task.scan().parameterCount() > 0) {
          throw refused("EXPLAIN with parameters", "write the values as literals");
        }
        // other forms tell conditions, and with them what values are stored as
        for (String endpoint : task.database().endpoints()) {
          if (!task.catalog().isMariaDb(endpoint)) {
            throw refused(
                "EXPLAIN on MySQL, which tells what values are stored as,",
                "explain it on the data source itself; EXPLAIN ROUTE tells a plan");
          }
        }
        return new ExplainPlanner(EncryptPlanner.this).plan(task);
      }
      StatementPlan told = ShownTable.of(task, text, names, statements);
      if (told == null) {
        throw refused(
            tokens.text(0) + " " + tokens.text(1),
            "use SHOW CREATE TABLE, SHOW COLUMNS or SHOW INDEX; EXPLAIN ROUTE tells a plan");
      }
      return told;
    }

    // -------------------------------------------------------------- the plan

    /**
     * @param width columns of the answer that clients see
     * @param hasRows whether it answers with rows
     */
    private StatementPlan planned(List<Cell> cells, int width, boolean hasRows) {
      StoredText.Written written = text.written();
      PlanTask over = task.of(written.scan(), task.scope(), task.catalog());
      StatementPlan plan = statements.plan(over);
      var open = new EncryptedPlan(plan, written, List.of(), List.of(), texts());
      if (!hasRows) {
        return open;
      }
      BoundPlan bound = open.bound(task.written(), false);
      List<ResultColumn> columns =
          switch (bound) {
            case BoundPlan.AsIs asIs -> throw new IllegalStateException("not rewritten: " + asIs);
            case BoundPlan.Single single -> told(single.query(), plan, cells);
            case BoundPlan.Merged merged -> AnswerColumns.of(merged.root());
          };
      // of RETURNING servers tell with the rows only
      StatementKind kind = task.scan().kind();
      boolean isQuery = kind == StatementKind.SELECT || kind == StatementKind.QUERY_EXPRESSION;
      boolean isTold = isQuery || !columns.isEmpty();
      if (!cells.isEmpty() && isTold && columns.size() != width) {
        throw refused(
            "an answer of " + columns.size() + " columns instead of " + width, "name them");
      }
      return new EncryptedPlan(
          plan, written, cells, cells.isEmpty() ? List.of() : columns, texts());
    }

    private Texts texts() {
      String results = task.scope().settings().get("character_set_results");
      if (results == null) {
        return Math.abs(task.scope().collation()) == BINARY ? Texts.BINARY : Texts.CONVERTED;
      }
      return switch (results.replace("'", "").toLowerCase(Locale.ROOT)) {
        case "null" -> Texts.OWN;
        case "binary" -> Texts.BINARY;
        default -> Texts.CONVERTED;
      };
    }

    /** What the database tells that answers alone, by the names that clients know. */
    private List<ResultColumn> told(ShardQuery query, StatementPlan plan, List<Cell> cells) {
      List<ResultColumn> columns = task.catalog().describe(query);
      requireWithheld(columns, cells);
      return plan.names().logical(columns);
    }

    /** The second witness: the database's own word for where a column comes from. */
    private void requireWithheld(List<ResultColumn> columns, List<Cell> cells) {
      var decrypted = new HashSet<Integer>();
      cells.forEach(cell -> decrypted.add(cell.column()));
      for (int i = 0; i < columns.size(); i++) {
        ResultColumn column = columns.get(i);
        for (EncryptedTable table : task.database().encryption().tables().values()) {
          boolean isStored =
              !column.orgTable().isEmpty()
                  && names.isPart(table, column.orgTable())
                  && table.ofStored(column.orgName()) != null;
          if (isStored && !decrypted.contains(i)) {
            throw ErrorCatalogue.CIPHERTEXT_WITHHELD.refuse(
                i + 1, column.orgTable(), column.orgName());
          }
        }
      }
    }
  }
}
