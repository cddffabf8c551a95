package io.anabranch.rules.need;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * CREATE, ALTER, DROP, RENAME and TRUNCATE. Programs need all rights on their database: what they
 * do is done with those of the proxy's account.
 */
final class DefinitionNeeds {

  private static final Set<String> CONDITION = Set.of("IF", "NOT", "EXISTS");

  private static final Set<String> PROGRAMS =
      Set.of("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE", "LIBRARY", "AGGREGATE");

  private static final Set<String> OF_INDEX =
      Set.of("UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "ONLINE", "OFFLINE");

  /** Of ALTER TABLE: they bring another table in. */
  private static final Set<String> BETWEEN_TABLES =
      Set.of("EXCHANGE", "TABLESPACE", "DISCARD", "IMPORT");

  private final Words words;
  private final TableUses tables;
  private final List<Need> needs = new ArrayList<>();

  DefinitionNeeds(Words words, TableUses tables) {
    this.words = words;
    this.tables = tables;
  }

  List<Need> of() {
    switch (words.word(0)) {
      case "CREATE" -> create();
      case "ALTER" -> alter();
      case "DROP" -> drop();
      case "RENAME" -> rename();
      case "TRUNCATE" -> add(Privilege.DROP, Name.at(words, words.isWord(1, "TABLE") ? 2 : 1));
      default -> throw Words.doubt("this statement");
    }
    return needs;
  }

  private void add(Privilege privilege, Name table) {
    needs.add(new Need.OnTable(privilege, table.schema(), table.name()));
  }

  private Name named(int object) {
    return Name.at(words, words.behind(object + 1, CONDITION));
  }

  // ---------------------------------------------------------------- CREATE

  private void create() {
    boolean replaces = words.isWord(1, "OR") && words.isWord(2, "REPLACE");
    int object = replaces ? 3 : 1;
    if (words.isWord(object, "TEMPORARY") && words.isWord(object + 1, "TABLE")) {
      Name name = named(object + 1);
      needs.add(new Need.OnDatabase(Privilege.CREATE_TEMPORARY_TABLES, name.schema()));
      table(name);
      return;
    }
    int index = words.behind(object, OF_INDEX);
    if (words.isWord(index, "INDEX")) {
      add(Privilege.INDEX, Name.at(words, on(index)));
      return;
    }
    switch (words.word(object)) {
      case "TABLE" -> {
        Name name = made(object, replaces, Privilege.CREATE);
        table(name);
      }
      case "SEQUENCE" -> {
        Name name = made(object, replaces, Privilege.CREATE);
        refuseEngines(name.behind(), words.size());
      }
      default -> viewOrProgram(object, replaces);
    }
  }

  private Name made(int object, boolean replaces, Privilege privilege) {
    Name name = named(object);
    add(privilege, name);
    if (replaces) {
      add(Privilege.DROP, name);
    }
    return name;
  }

  private int on(int from) {
    int on = words.find(from, "ON");
    if (on < 0) {
      throw Words.doubt("an index of no table");
    }
    return on + 1;
  }

  /** What a table is made of. */
  private void table(Name name) {
    int at = name.behind();
    int like = words.isPunctuation(at, '(') ? at + 1 : at;
    if (words.isWord(like, "LIKE")) {
      add(Privilege.SELECT, Name.at(words, like + 1));
      return;
    }
    int query = query(at);
    refuseEngines(at, query);
    references(at, query);
    tables.defaults(at, query);
    tables.in().expressions(query, words.size());
    tables.uses().forEach(use -> needs.add(ChangeNeeds.on(Privilege.SELECT, use)));
  }

  /** Where a table's query begins; the end if it has none. */
  private int query(int from) {
    int found = words.from(from).find(this::beginsQuery);
    return found < 0
        ? words.size()
        : words.between(0, found).findLast(i -> !words.isPunctuation(i, '(')) + 1;
  }

  private boolean beginsQuery(int i) {
    return words.isWord(i, "SELECT")
        || words.isWord(i, "TABLE")
        || (words.isWord(i, "WITH") && tables.in().behindCommonTables(i) > i + 2)
        || (words.isWord(i, "VALUES")
            && !words.isWord(i + 1, "LESS")
            && !words.isWord(i + 1, "IN"));
  }

  private void references(int from, int to) {
    for (int i : words.between(from, to).words("REFERENCES")) {
      add(Privilege.REFERENCES, Name.at(words, i + 1));
    }
  }

  /** Tables of some engines are windows to others' rows. */
  private void refuseEngines(int from, int to) {
    int engine = TableEngines.findOther(words.kept(), from, to);
    if (engine >= 0) {
      throw Words.doubt("a table of the engine " + TableEngines.named(words.kept(), engine));
    }
    if (words.between(from, to).has(this::namesOthers)) {
      throw Words.doubt("a table over others");
    }
  }

  private boolean namesOthers(int i) {
    return words.isWord(i, "UNION") || (words.depth(i) == 0 && words.isWord(i, "CONNECTION"));
  }

  private void viewOrProgram(int object, boolean replaces) {
    int found =
        words
            .from(object)
            .find(
                i -> words.isWord(i, "VIEW") || words.isOneOf(i, PROGRAMS) || !isOption(i, object));
    if (words.isWord(found, "VIEW")) {
      view(found, replaces);
    } else if (words.isOneOf(found, PROGRAMS)) {
      ofProgram(words.isWord(found, "AGGREGATE") ? found + 1 : found);
      program();
    } else {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
  }

  private boolean isOption(int i, int object) {
    return i == object
        ? words.isOneOf(i, Set.of("ALGORITHM", "DEFINER", "SQL"))
        : words.depth(i) == 0 && !words.isWord(i, "AS");
  }

  /** It may do anything in its database, and in all that it names. */
  List<Need> program() {
    needs.add(new Need.Everything(null));
    for (SchemaMention mention : SchemaMentions.of(words.tokens())) {
      needs.add(new Need.Everything(words.tokens().name(mention.token())));
    }
    return needs;
  }

  /** What servers ask for, and say that is missing. */
  private void ofProgram(int object) {
    boolean isMade = words.isWord(0, "CREATE");
    switch (words.word(object)) {
      case "EVENT" -> needs.add(new Need.OnDatabase(Privilege.EVENT, named(object).schema()));
      case "TRIGGER" -> {
        int on = isMade ? words.find(object, "ON") : -1;
        if (on >= 0) {
          add(Privilege.TRIGGER, Name.at(words, on + 1));
        }
      }
      case "PROCEDURE", "FUNCTION" -> {
        Name name = named(object);
        needs.add(
            isMade
                ? new Need.OnDatabase(Privilege.CREATE_ROUTINE, name.schema())
                : new Need.Routine(Privilege.ALTER_ROUTINE, name.schema(), name.name()));
      }
      default -> {}
    }
  }

  /** Whoever may change the view's rows through it changes those of its tables. */
  private void view(int object, boolean replaces) {
    Name view = made(object, replaces, Privilege.CREATE_VIEW);
    tables.in().expressions(view.behind(), words.size());
    for (TableUse use : tables.uses()) {
      needs.add(ChangeNeeds.on(Privilege.SELECT, use));
      needs.add(new Need.Through(view.schema(), view.name(), use.schema(), use.name()));
    }
  }

  // ---------------------------------------------------------------- ALTER

  private void alter() {
    int object = words.behind(1, Set.of("ONLINE", "OFFLINE", "IGNORE"));
    switch (words.word(object)) {
      case "TABLE" -> alterTable(object);
      case "SEQUENCE" -> add(Privilege.ALTER, named(object));
      default -> viewOrProgram(object, true);
    }
  }

  private void alterTable(int object) {
    Name name = named(object);
    add(Privilege.ALTER, name);
    refuseEngines(name.behind(), words.size());
    references(name.behind(), words.size());
    tables.defaults(name.behind(), words.size());
    for (int i : words.from(name.behind()).where(each -> words.depth(each) == 0)) {
      boolean bringsTable =
          words.isOneOf(i, BETWEEN_TABLES)
              || (words.isWord(i, "CONVERT") && !words.isWord(i + 1, "TO"));
      if (bringsTable) {
        needs.add(new Need.Everything(name.schema()));
      }
      boolean ofPartition =
          words.isWord(i + 1, "PARTITION")
              && (words.isWord(i, "DROP") || words.isWord(i, "TRUNCATE"));
      if (ofPartition) {
        add(Privilege.DROP, name);
      }
      if (words.isWord(i, "RENAME")) {
        renamed(name, i + 1);
      }
    }
  }

  private void renamed(Name name, int behind) {
    boolean ofPart =
        words.isOneOf(behind, Set.of("COLUMN", "INDEX", "KEY"))
            && words.isName(behind + 1)
            && words.isWord(behind + 2, "TO");
    if (!ofPart) {
      int at = words.behind(behind, Set.of("TO", "AS"));
      moved(name, Name.at(words, words.isOperator(at, "=") ? at + 1 : at));
    }
  }

  private void moved(Name from, Name to) {
    add(Privilege.ALTER, from);
    add(Privilege.DROP, from);
    add(Privilege.CREATE, to);
    add(Privilege.INSERT, to);
    // it may be a view, through which its tables' rows are changed by who may change the new name's
    needs.add(new Need.Through(to.schema(), to.name(), from.schema(), from.name()));
  }

  // ---------------------------------------------------------------- DROP, RENAME

  private void drop() {
    boolean isTemporary = words.isWord(1, "TEMPORARY");
    int object = words.behind(1, Set.of("TEMPORARY", "ONLINE", "OFFLINE"));
    switch (words.word(object)) {
      case "TABLE", "TABLES", "VIEW", "SEQUENCE" -> {
        if (!isTemporary) {
          dropped(words.behind(object + 1, CONDITION));
        }
      }
      case "INDEX" -> add(Privilege.INDEX, Name.at(words, on(object)));
      case "PREPARE" -> {}
      default -> viewOrProgram(object, false);
    }
  }

  private void dropped(int from) {
    Name name = Name.at(words, from);
    add(Privilege.DROP, name);
    while (words.isPunctuation(name.behind(), ',')) {
      name = Name.at(words, name.behind() + 1);
      add(Privilege.DROP, name);
    }
  }

  private void rename() {
    if (!words.isWord(1, "TABLE") && !words.isWord(1, "TABLES")) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
    int at = words.behind(2, CONDITION);
    while (true) {
      Name from = Name.at(words, at);
      int to = words.from(from.behind()).skip(i -> !words.isWord(i, "TO"));
      Name target = Name.at(words, to + 1);
      moved(from, target);
      if (!words.isPunctuation(target.behind(), ',')) {
        return;
      }
      at = target.behind() + 1;
    }
  }
}
