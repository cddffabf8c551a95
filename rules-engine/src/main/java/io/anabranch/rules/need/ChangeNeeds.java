package io.anabranch.rules.need;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.syntax.query.GrammarWords;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** INSERT, REPLACE, UPDATE, DELETE and LOAD DATA. */
final class ChangeNeeds {

  private static final Set<String> MODIFIERS =
      Set.of("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE");

  /** Behind them rows are looked at. */
  private static final List<String> LOOKING = List.of("JOIN", "WHERE", "ORDER", "RETURNING");

  private final Words words;
  private final TableUses tables;
  private final List<Need> needs = new ArrayList<>();

  ChangeNeeds(Words words, TableUses tables) {
    this.words = words;
    this.tables = tables;
  }

  static Need on(Privilege privilege, TableUse use) {
    return new Need.OnTable(privilege, use.schema(), use.name());
  }

  /**
   * @param verb where the statement begins
   * @param from where its common table expressions do
   */
  List<Need> insert(int verb, int from) {
    if (verb != from) {
      throw Words.doubt("WITH in front of " + words.word(verb));
    }
    int at = words.behind(verb + 1, MODIFIERS);
    Name target = Name.at(words, words.isWord(at, "INTO") ? at + 1 : at);
    add(Privilege.INSERT, target);
    if (words.isWord(verb, "REPLACE")) {
      add(Privilege.DELETE, target);
    }
    int duplicate = words.find(target.behind(), "DUPLICATE");
    if (duplicate >= 0) {
      add(Privilege.UPDATE, target);
    }
    if (duplicate >= 0 && readsColumns(duplicate + 3, words.size())) {
      add(Privilege.SELECT, target);
    }
    if (words.find(target.behind(), "RETURNING") >= 0) {
      add(Privilege.SELECT, target);
    }
    tables.in().expressions(target.behind(), words.size());
    return withReads();
  }

  List<Need> load() {
    int into = words.find(1, "INTO");
    if (!words.isWord(into + 1, "TABLE")) {
      throw Words.doubt("LOAD DATA of this form");
    }
    Name target = Name.at(words, into + 2);
    add(Privilege.INSERT, target);
    if (words.isWord(into - 1, "REPLACE")) {
      add(Privilege.DELETE, target);
    }
    tables.in().expressions(target.behind(), words.size());
    return withReads();
  }

  List<Need> update(int verb, int from) {
    tables.in().expressions(from, verb);
    int list = words.behind(verb + 1, MODIFIERS);
    tables.in().changed(list, words.size());
    int set = words.find(list, "SET");
    if (set < 0) {
      throw Words.doubt("UPDATE of this form");
    }
    changes(Privilege.UPDATE, assigned(set), list, false);
    if (readsColumns(set + 1, words.size())) {
      tables.uses().stream()
          .filter(use -> !use.isRead())
          .forEach(use -> needs.add(on(Privilege.SELECT, use)));
    }
    return withReads();
  }

  /** Whether what is set is computed from columns. {@code VALUES(c)} is what a row brings. */
  private boolean readsColumns(int from, int to) {
    return words.between(from, to).parts().stream().anyMatch(this::readsColumns);
  }

  private boolean readsColumns(Span assignment) {
    int level = words.depth(assignment.first());
    int behind = assignment.behind();
    int equals =
        words
            .between(assignment.first(), behind)
            .find(
                i ->
                    words.depth(i) == level
                        && (words.isOperator(i, "=") || words.isOperator(i, ":=")));
    return equals >= 0
        && words
            .between(equals + 1, behind)
            .outside(open -> words.isWord(open - 1, "VALUES"))
            .stream()
            .anyMatch(this::isColumn);
  }

  private boolean isColumn(int i) {
    boolean isCalled = words.isPunctuation(i + 1, '(') && !words.isPunctuation(i - 1, '.');
    return words.isName(i) && !isCalled && !GrammarWords.isAt(words.kept(), i);
  }

  /** The qualifiers of the columns that are set; null: one has none. */
  private @Nullable Set<String> assigned(int set) {
    var qualifiers = new HashSet<String>();
    int end = words.size();
    for (String word : List.of("WHERE", "ORDER", "LIMIT")) {
      int at = words.find(set, word);
      end = at < 0 ? end : Math.min(end, at);
    }
    for (int i = set; i < end; i++) {
      if (i == set || (words.isPunctuation(i, ',') && words.depth(i) == 0)) {
        boolean isQualified = words.isName(i + 1) && words.isPunctuation(i + 2, '.');
        boolean isTwice = isQualified && words.isPunctuation(i + 4, '.');
        if (!isQualified) {
          return null;
        }
        qualifiers.add(words.name(isTwice ? i + 3 : i + 1));
      }
    }
    return qualifiers;
  }

  List<Need> delete(int verb, int from) {
    tables.in().expressions(from, verb);
    int at = words.behind(verb + 1, MODIFIERS);
    boolean isOfHistory = words.isWord(at, "HISTORY") && words.isWord(at + 1, "FROM");
    if (isOfHistory) {
      at++;
    }
    boolean isFrom = words.isWord(at, "FROM");
    var targets = new HashSet<String>();
    int behind = targets(isFrom ? at + 1 : at, targets);
    boolean isOfSeveral = words.isWord(behind, isFrom ? "USING" : "FROM");
    if (!isOfSeveral && !isFrom) {
      throw Words.doubt("DELETE of this form");
    }
    int list = isOfSeveral ? behind + 1 : at + 1;
    tables.in().changed(list, words.size());
    changes(Privilege.DELETE, isOfSeveral ? targets : null, list, isOfSeveral);
    if (isOfHistory) {
      tables.uses().stream()
          .filter(use -> !use.isRead())
          .forEach(use -> needs.add(on(Privilege.DELETE_HISTORY, use)));
    }
    return withReads();
  }

  /** {@code a, shop.b.*}: their last parts. */
  private int targets(int from, Set<String> targets) {
    int at = from;
    while (words.isName(at)) {
      while (words.isPunctuation(at + 1, '.') && words.isName(at + 2)) {
        at += 2;
      }
      targets.add(words.name(at));
      boolean isAll = words.isPunctuation(at + 1, '.') && words.isOperator(at + 2, "*");
      at += isAll ? 3 : 1;
      if (!words.isPunctuation(at, ',')) {
        return at;
      }
      at++;
    }
    return at;
  }

  /**
   * @param changed names of the tables that are; null: all of the list
   * @param from where the list begins
   * @param isOfSeveral by its form, though it may have one: servers look at the rows of all
   */
  private void changes(
      Privilege privilege, @Nullable Set<String> changed, int from, boolean isOfSeveral) {
    List<TableUse> list = tables.uses().stream().filter(use -> !use.isRead()).toList();
    boolean looks =
        isOfSeveral
            || list.size() > 1
            || words.isWord(words.find(from, "FOR") + 1, "PORTION")
            || LOOKING.stream().anyMatch(word -> words.find(from, word) >= 0);
    var unknown = new HashSet<>(changed == null ? Set.of() : changed);
    for (TableUse use : list) {
      boolean isChanged =
          list.size() == 1 || changed == null || changed.stream().anyMatch(use::isMeantBy);
      if (isChanged) {
        needs.add(on(privilege, use));
      }
      if (looks) {
        needs.add(on(Privilege.SELECT, use));
      }
      unknown.removeIf(use::isMeantBy);
    }
    if (list.isEmpty() || !unknown.isEmpty()) {
      throw Words.doubt("a change of a table that is not in the list");
    }
  }

  private void add(Privilege privilege, Name table) {
    needs.add(new Need.OnTable(privilege, table.schema(), table.name()));
  }

  private List<Need> withReads() {
    tables.uses().stream()
        .filter(TableUse::isRead)
        .forEach(use -> needs.add(on(Privilege.SELECT, use)));
    return needs;
  }
}
