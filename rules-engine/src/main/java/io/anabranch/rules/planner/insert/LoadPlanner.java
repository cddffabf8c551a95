package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.file.FileFormat;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.CopyChecks;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.resolve.Auditing;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.LoadSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * LOAD DATA LOCAL INFILE: the proxy reads the client's file and inserts its rows where they belong,
 * as INSERT IGNORE or REPLACE, which is how servers treat a client's file.
 */
public final class LoadPlanner implements KindPlanner {

  private static final byte[] NOTHING = {};
  private static final int[] NO_PARAMETERS = {};

  private final StoredColumns stored;

  /** Of tables that have the columns of the file. */
  public LoadPlanner() {
    this(StoredColumns.NONE);
  }

  /**
   * @param stored what the table has in the place of some columns
   */
  public LoadPlanner(StoredColumns stored) {
    this.stored = stored;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    requireReadable(source.tokens());
    LoadSyntax syntax = LoadSyntax.read(source);
    TableMention table = syntax.table();
    var directory = new TableDirectory(task);
    TablePlace place = directory.require(table.qualifier(), table.name());
    new LogicalViews(task).refuseWrite(place);
    return switch (place) {
      case TablePlace.Sharded sharded -> {
        Auditing.checkRows(task, sharded.table());
        TableIntake intake = intake(task, syntax, sharded.table().nodes());
        LoadedRows.refuseKeys(syntax, sharded.table());
        if (intake.checkedKeys(task, sharded.table()) != null) {
          throw ErrorCatalogue.NOT_EXACT.refuse(
              "LOAD DATA into table '"
                  + syntax.table().name()
                  + "', whose unique keys are looked for on all nodes,",
              "load it into a table without such keys, then INSERT … SELECT");
        }
        yield load(task, source, syntax, intake, intake.into(sharded.table()), Summing.SUM);
      }
      case TablePlace.Broadcast broadcast -> {
        refuseDifferences(task, source.tokens(), syntax, broadcast.name());
        TableIntake intake = intake(task, syntax, broadcast.nodes(task));
        yield load(task, source, syntax, intake, intake.into(Summing.FIRST), Summing.FIRST);
      }
      case TablePlace.Single single -> {
        TableIntake intake = intake(task, syntax, single.nodes(task));
        yield load(task, source, syntax, intake, intake.into(Summing.SUM), Summing.SUM);
      }
      case TablePlace.Absent absent -> throw directory.unknown(absent.name());
    };
  }

  /**
   * That the proxy can read the file.
   *
   * @throws io.anabranch.rules.error.RefusedException it is one on the server, or no lines
   */
  public static void requireReadable(SqlTokens tokens) {
    if (tokens.isWord(1, "XML")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "LOAD XML", "make lines of it, and use LOAD DATA LOCAL");
    }
    if (!isLocal(tokens)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "LOAD DATA of a file on the server", "use LOAD DATA LOCAL");
    }
  }

  /** What each data source computes for itself, and fills in, has to be the same. */
  private void refuseDifferences(PlanTask task, SqlTokens tokens, LoadSyntax syntax, String table) {
    var checks = new CopyChecks(task);
    var given = new HashSet<String>();
    for (String column : syntax.columns()) {
      if (column != null) {
        stored.names(column).forEach(name -> given.add(name.toLowerCase(Locale.ROOT)));
      }
    }
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      checks.refuse(tokens, assignment.value().first(), assignment.value().behind());
      checks.refuseMentionedDefaults(
          table, tokens, assignment.value().first(), assignment.value().behind());
      stored.names(assignment.column()).forEach(name -> given.add(name.toLowerCase(Locale.ROOT)));
    }
    if (syntax.listed()) {
      checks.refuseDefaults(table, given);
    }
    checks.refuseTriggers(table);
  }

  private static boolean isLocal(SqlTokens tokens) {
    return tokens.between(2, 5).hasWord("LOCAL");
  }

  private TableIntake intake(PlanTask task, LoadSyntax syntax, List<DataNode> nodes) {
    var columns = new ArrayList<String>();
    for (String column : syntax.columns()) {
      if (column != null) {
        columns.add(column);
      }
    }
    return new TableIntake(
        task, syntax.table().name(), nodes, syntax.listed() ? columns : stored.all(), true);
  }

  private StatementPlan load(
      PlanTask task,
      SourceText source,
      LoadSyntax syntax,
      TableIntake table,
      TableIntake.Intake intake,
      Summing summing) {
    var list = new StringBuilder();
    for (String column : table.columns()) {
      append(list, stored.names(column));
    }
    String key = intake.appended();
    if (key != null) {
      append(list, List.of(key));
    }
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      append(list, stored.names(assignment.column()));
    }
    var rows = new LoadedRows(task, syntax, table.columns(), stored);
    RowTarget target = rows.of(intake.rows());
    String verb = syntax.replaces() ? "REPLACE INTO " : "INSERT IGNORE INTO ";
    boolean plain = syntax.assignments().isEmpty();
    var around = new ArrayList<RowTarget.Around>();
    var actual = new HashMap<String, String>();
    for (DataNode node : table.nodes()) {
      actual.put(node.table(), syntax.table().name());
      String into = verb + TableNames.quotedIfNeeded(node.table()) + list + ")";
      around.add(
          new RowTarget.Around(
              node.dataSource(),
              source.encode(into + " VALUES "),
              plain ? source.encode(into) : null,
              NOTHING,
              NO_PARAMETERS));
    }
    var names = new NameMapping(task.database().name(), actual);
    PlanNode load =
        new PlanNode.Load(
            bytes(task, source, syntax.file(), ""),
            format(task, source, syntax, table.columns().size()),
            table.columns().size(),
            table.blanks(stored),
            rows.made(),
            target.with(around),
            summing,
            syntax.replaces(),
            syntax.replaces() && task.scope().isStrict());
    return FixedPlan.of(task, Access.WRITE, names, new BoundPlan.Merged(load));
  }

  private static void append(StringBuilder list, List<String> columns) {
    for (String column : columns) {
      list.append(list.isEmpty() ? " (" : ", ").append(TableNames.quoted(column));
    }
  }

  private static FileFormat format(PlanTask task, SourceText source, LoadSyntax syntax, int width) {
    byte[] fieldEnd = bytes(task, source, syntax.fieldEnd(), "\t");
    byte[] lineEnd = bytes(task, source, syntax.lineEnd(), "\n");
    if (fieldEnd.length == 0 || lineEnd.length == 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "LOAD DATA of fields or lines without an end", "separate them by a character");
    }
    if (Arrays.equals(fieldEnd, lineEnd)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "LOAD DATA of fields and lines with the same end", "end lines by another character");
    }
    int skipped = syntax.skippedLines();
    return new FileFormat(
        syntax.charset(),
        fieldEnd,
        character(bytes(task, source, syntax.enclosing(), "")),
        character(bytes(task, source, syntax.escape(), "\\")),
        bytes(task, source, syntax.lineStart(), ""),
        lineEnd,
        skipped < 0 ? 0 : source.tokens().wholeNumber(skipped),
        columns(syntax, width));
  }

  private static int character(byte[] bytes) {
    if (bytes.length > 1) {
      throw ErrorCatalogue.WRONG_SEPARATOR.refuse();
    }
    return bytes.length == 0 ? -1 : bytes[0] & 0xFF;
  }

  /** The bytes of a literal. */
  private static byte[] bytes(PlanTask task, SourceText source, int token, String otherwise) {
    if (token < 0) {
      return otherwise.getBytes(StandardCharsets.US_ASCII);
    }
    SqlTokens tokens = source.tokens();
    PlanScope scope = task.scope();
    LexerMode mode = scope.lexerMode();
    SlotKind kind =
        tokens.kind(token) == TokenKind.STRING
            ? SlotKind.STRING
            : tokens.text(token).matches("(?i)(0b|b').*") ? SlotKind.BIT : SlotKind.HEX;
    SqlValue value =
        Literals.of(
            kind,
            source.bytes(),
            source.byteOffset(tokens.start(token)),
            source.byteOffset(tokens.end(token)),
            scope.charset(),
            mode);
    return switch (value) {
      case SqlValue.Text text -> text.value().getBytes(scope.charset());
      case SqlValue.Bytes raw -> raw.value();
      default -> throw TableMention.syntaxError(source, token);
    };
  }

  /** The fields' positions in rows; those of variables stand behind the place for a key. */
  private static int[] columns(LoadSyntax syntax, int width) {
    int[] columns = new int[syntax.listed() ? syntax.columns().size() : width];
    Map<String, Integer> variables = syntax.fieldsOfVariables();
    int position = 0;
    for (int field = 0; field < columns.length; field++) {
      boolean isColumn = !syntax.listed() || syntax.columns().get(field) != null;
      columns[field] = isColumn ? position++ : LoadedRows.position(syntax, variables, width, field);
    }
    return columns;
  }
}
