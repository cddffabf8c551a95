package io.anabranch.rules.need;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SHOW. */
final class ShowNeeds {

  /** Of the server or of the session, or kept to what the user may see where it is answered. */
  private static final Set<String> FOR_ALL =
      Set.of(
          "DATABASES",
          "SCHEMAS",
          "TABLES",
          "GRANTS",
          "PROCESSLIST",
          "VARIABLES",
          "STATUS",
          "WARNINGS",
          "ERRORS",
          "COUNT",
          "COLLATION",
          "CHARACTER",
          "CHARSET",
          "ENGINES",
          "STORAGE",
          "PLUGINS",
          "PRIVILEGES",
          "CONTRIBUTORS",
          "AUTHORS",
          "LOCALES",
          "TRIGGERS");

  private static final Set<String> OF_TABLE =
      Set.of("COLUMNS", "FIELDS", "INDEX", "INDEXES", "KEYS");

  private final Words words;
  private final TableUses tables;
  private final List<Need> needs = new ArrayList<>();

  ShowNeeds(Words words, TableUses tables) {
    this.words = words;
    this.tables = tables;
  }

  List<Need> of() {
    int subject = words.behind(1, Set.of("FULL", "EXTENDED", "GLOBAL", "SESSION", "LOCAL"));
    String word = words.word(subject);
    if (OF_TABLE.contains(word)) {
      ofTable(subject);
    } else if (word.equals("CREATE")) {
      create(subject + 1);
    } else if (word.equals("TABLE") && words.isWord(subject + 1, "STATUS")) {
      // kept to what the user may see
    } else if (word.equals("EVENTS")) {
      ofDatabase(Privilege.EVENT, subject + 1);
    } else if (word.equals("OPEN")) {
      ofDatabase(Privilege.SELECT, subject + 2);
    } else if (isOfRoutines(subject)) {
      // kept to what the user may call
    } else if (!FOR_ALL.contains(word)) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
    condition();
    return needs;
  }

  /** SHOW PROCEDURE STATUS and the like. */
  private boolean isOfRoutines(int subject) {
    int status = words.isWord(subject + 1, "BODY") ? subject + 2 : subject + 1;
    return words.isOneOf(subject, Set.of("PROCEDURE", "FUNCTION", "PACKAGE"))
        && words.isWord(status, "STATUS");
  }

  private void ofTable(int subject) {
    Name name = Name.at(words, subject + 2);
    String schema = name.schema();
    int in = name.behind();
    if (words.isWord(in, "FROM") || words.isWord(in, "IN")) {
      schema = words.name(in + 1);
    }
    needs.add(new Need.Sight(schema, name.name()));
  }

  private void ofDatabase(Privilege privilege, int at) {
    boolean isNamed = words.isWord(at, "FROM") || words.isWord(at, "IN");
    @Nullable String schema = isNamed ? words.name(at + 1) : null;
    needs.add(new Need.OnDatabase(privilege, schema));
  }

  private void create(int object) {
    switch (words.word(object)) {
      case "TABLE", "SEQUENCE" -> {
        Name name = Name.at(words, object + 1);
        needs.add(new Need.Definition(name.schema(), name.name()));
      }
      case "VIEW" -> {
        Name name = Name.at(words, object + 1);
        needs.add(new Need.OnTable(Privilege.SELECT, name.schema(), name.name()));
        needs.add(new Need.OnTable(Privilege.SHOW_VIEW, name.schema(), name.name()));
      }
      case "DATABASE", "SCHEMA" -> {}
      case "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE" -> {
        int name = words.isWord(object + 1, "BODY") ? object + 2 : object + 1;
        needs.add(new Need.Everything(Name.at(words, name).schema()));
      }
      default -> throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
  }

  /** It may have subqueries. */
  private void condition() {
    int where = words.find(1, "WHERE");
    if (where >= 0) {
      tables.in().expressions(where, words.size());
      tables.uses().forEach(use -> needs.add(ChangeNeeds.on(Privilege.SELECT, use)));
    }
  }
}
