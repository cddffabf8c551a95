package io.anabranch.rules.need;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a statement needs to be granted. Every kind of statement says so here, and every form of it
 * that is in none of the lists is refused.
 */
public final class NeededRights {

  /** Between EXPLAIN and the statement. */
  private static final Set<String> OF_EXPLAIN = Set.of("EXTENDED", "PARTITIONS", "ANALYZE");

  private static final Set<String> OF_MAINTENANCE =
      Set.of("TABLE", "TABLES", "VIEW", "VIEWS", "LOCAL", "NO_WRITE_TO_BINLOG");

  private final Words words;
  private final TableUses tables;
  private final List<Need> needs = new ArrayList<>();

  private NeededRights(SqlTokens tokens) {
    this.words = new Words(tokens);
    this.tables = new TableUses(words);
  }

  /**
   * @param tokens of the statement, without executable comments
   * @throws io.anabranch.rules.error.RefusedException if it cannot be told, or nobody can be
   *     granted it
   */
  public static List<Need> of(StatementKind kind, SqlTokens tokens) {
    var rights = new NeededRights(tokens);
    rights.kind(kind);
    rights.needs.addAll(rights.tables.others());
    return List.copyOf(rights.needs);
  }

  /**
   * All tables that a statement names: those of its queries with their aliases.
   *
   * @param tokens as above
   * @throws RefusedException if it cannot be told
   */
  public static List<TableUse> tables(StatementKind kind, SqlTokens tokens) {
    var rights = new NeededRights(tokens);
    if (rights.words.isWord(1, "TEMPORARY") || rights.words.isWord(3, "TEMPORARY")) {
      throw Words.doubt("a temporary table");
    }
    rights.kind(kind);
    var found = new ArrayList<>(rights.tables.uses());
    rights.needs.addAll(rights.tables.others());
    for (Need need : rights.needs) {
      switch (need) {
        case Need.OnTable on -> found.add(TableUse.target(on.schema(), on.table()));
        case Need.Sight on -> found.add(TableUse.target(on.schema(), on.table()));
        case Need.Definition on -> found.add(TableUse.target(on.schema(), on.table()));
        case Need.Explanation on -> found.add(TableUse.target(on.schema(), on.table()));
        case Need.Through through -> found.add(TableUse.target(through.schema(), through.table()));
        case Need.Everything _ -> throw Words.doubt("a program");
        // what is locked is read, and known
        case Need.Locked _, Need.OnDatabase _, Need.Routine _ -> {}
      }
    }
    return found;
  }

  private void kind(StatementKind kind) {
    switch (kind) {
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE, DO -> statement(0);
      case CREATE, ALTER, DROP, RENAME, TRUNCATE ->
          needs.addAll(new DefinitionNeeds(words, tables).of());
      case SHOW -> needs.addAll(new ShowNeeds(words, tables).of());
      case DESCRIBE -> explain();
      case SET -> set();
      case CALL -> call();
      case HANDLER -> handler();
      case LOAD_DATA -> needs.addAll(new ChangeNeeds(words, tables).load());
      case LOCK_TABLES -> lock();
      case TABLE_MAINTENANCE -> maintenance();
      case BEGIN -> begin();
      case OTHER -> other();
      case KILL, EXECUTE -> expressions(1);
      // of the session alone, or looked at again when its text is known
      case EXPLAIN_ROUTE,
          USE,
          COMMIT,
          ROLLBACK,
          SAVEPOINT,
          XA,
          UNLOCK_TABLES,
          PREPARE,
          DEALLOCATE,
          EMPTY -> {}
      case ALTER_GROUP, FLUSH, ACCOUNT -> throw nobodys();
    }
  }

  private static RefusedException nobodys() {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
  }

  private void other() {
    switch (words.word(0)) {
      // the server's own pages
      case "HELP" -> {}
      case "BEGIN" -> begin();
      case "SIGNAL", "RESIGNAL" -> expressions(1);
      default -> throw nobodys();
    }
  }

  /** A statement inside of another, too. */
  private void statement(int from) {
    int verb = words.isWord(from, "WITH") ? tables.in().behindCommonTables(from) : from;
    boolean isParenthesis = words.isPunctuation(verb, '(');
    switch (isParenthesis ? "SELECT" : words.word(verb)) {
      case "SELECT", "VALUES", "TABLE", "DO" -> {
        tables.in().expressions(from, words.size());
        tables.uses().forEach(use -> needs.add(ChangeNeeds.on(Privilege.SELECT, use)));
      }
      case "INSERT", "REPLACE" -> needs.addAll(new ChangeNeeds(words, tables).insert(verb, from));
      case "UPDATE" -> needs.addAll(new ChangeNeeds(words, tables).update(verb, from));
      case "DELETE" -> needs.addAll(new ChangeNeeds(words, tables).delete(verb, from));
      default -> throw Words.doubt("this statement");
    }
    locked(from);
  }

  /** Behind FOR UPDATE; without names there, and in doubt, all tables that are read. */
  private void locked(int from) {
    List<Integer> locks =
        words.from(from).names(i -> words.isWord(i, "FOR") && words.isWord(i + 1, "UPDATE"));
    for (int i : locks) {
      Set<String> named = words.isWord(i + 2, "OF") ? names(i + 3) : Set.of();
      for (TableUse use : tables.uses()) {
        if (use.isRead() && (named.isEmpty() || named.stream().anyMatch(use::isMeantBy))) {
          needs.add(new Need.Locked(use.schema(), use.name()));
        }
      }
    }
  }

  private Set<String> names(int from) {
    int behind = words.from(from).skip(i -> words.isName(i) || words.isPunctuation(i, ','));
    return words
        .between(from, behind)
        .names(i -> i == from || words.isPunctuation(i - 1, ','))
        .stream()
        .map(words::name)
        .collect(Collectors.toSet());
  }

  /** MariaDB's {@code BEGIN NOT ATOMIC} has other statements inside, as programs have. */
  private void begin() {
    boolean isPlain = words.isWord(0, "START") || words.size() == 1 || words.isWord(1, "WORK");
    if (words.isWord(0, "BEGIN") && words.isWord(1, "NOT")) {
      needs.addAll(new DefinitionNeeds(words, tables).program());
    } else if (!isPlain) {
      throw Words.doubt("a compound statement");
    }
  }

  private void explain() {
    int at = words.behind(1, OF_EXPLAIN);
    if (words.isWord(at, "FORMAT") && words.isOperator(at + 1, "=")) {
      at += 3;
    }
    boolean isStatement =
        words.isPunctuation(at, '(')
            || words.isOneOf(
                at,
                Set.of(
                    "SELECT", "WITH", "VALUES", "TABLE", "INSERT", "REPLACE", "UPDATE", "DELETE"));
    if (isStatement) {
      statement(at);
      explained();
    } else {
      Name name = Name.at(words, at < words.size() ? at : 1);
      boolean isForm = words.isOneOf(at, Set.of("INTO", "FOR"));
      if (isForm || words.size() > name.behind() + 1) {
        throw Words.doubt("EXPLAIN of this form");
      }
      needs.add(new Need.Sight(name.schema(), name.name()));
    }
  }

  /** Whatever the statement needs a right on may be a view. */
  private void explained() {
    for (Need need : List.copyOf(needs)) {
      if (need instanceof Need.OnTable(var _, var schema, String table)) {
        var explanation = new Need.Explanation(schema, table);
        if (!needs.contains(explanation)) {
          needs.add(explanation);
        }
      }
    }
  }

  /**
   * What stands behind {@code SET STATEMENT … FOR} is looked at again, as a statement of its own.
   */
  private void set() {
    int inner = words.isWord(1, "STATEMENT") ? words.find(2, "FOR") : -1;
    if (words.isWord(1, "STATEMENT") && inner < 0) {
      throw Words.doubt("SET STATEMENT without a statement");
    }
    int end = inner < 0 ? words.size() : inner;
    if (words.between(1, end).has(i -> TableEngines.areSetToOther(words.kept(), i))) {
      throw Words.doubt("another engine for tables that name none");
    }
    tables.in().expressions(1, end);
    tables.uses().forEach(use -> needs.add(ChangeNeeds.on(Privilege.SELECT, use)));
  }

  private void call() {
    Name name = Name.at(words, 1);
    needs.add(new Need.Routine(Privilege.EXECUTE, name.schema(), name.name()));
    expressions(name.behind());
  }

  private void handler() {
    Name name = Name.at(words, 1);
    if (words.isWord(name.behind(), "OPEN")) {
      needs.add(new Need.OnTable(Privilege.SELECT, name.schema(), name.name()));
    }
    expressions(name.behind());
  }

  private void expressions(int from) {
    tables.in().expressions(from, words.size());
    tables.uses().forEach(use -> needs.add(ChangeNeeds.on(Privilege.SELECT, use)));
  }

  private void lock() {
    if (!words.isWord(1, "TABLE") && !words.isWord(1, "TABLES")) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("BACKUP_ADMIN");
    }
    tables.in().read(2, words.size());
    for (TableUse use : tables.uses()) {
      needs.add(new Need.OnDatabase(Privilege.LOCK_TABLES, use.schema()));
      needs.add(ChangeNeeds.on(Privilege.SELECT, use));
    }
  }

  private void maintenance() {
    boolean isOfTable = words.isOneOf(1, OF_MAINTENANCE);
    if (!isOfTable) {
      // ANALYZE of a statement
      explain();
      return;
    }
    tables.in().read(words.behind(1, OF_MAINTENANCE), words.size());
    // tells keys of rows
    boolean isAcrossShards =
        words.from(1).has(at -> words.isWord(at, "ACROSS") && words.isWord(at + 1, "SHARDS"));
    for (TableUse use : tables.uses()) {
      switch (words.word(0)) {
        case "CHECK" ->
            needs.add(
                isAcrossShards
                    ? ChangeNeeds.on(Privilege.SELECT, use)
                    : new Need.Sight(use.schema(), use.name()));
        case "CHECKSUM" -> needs.add(ChangeNeeds.on(Privilege.SELECT, use));
        default -> {
          needs.add(ChangeNeeds.on(Privilege.SELECT, use));
          needs.add(ChangeNeeds.on(Privilege.INSERT, use));
        }
      }
    }
  }
}
