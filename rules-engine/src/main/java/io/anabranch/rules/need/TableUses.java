package io.anabranch.rules.need;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.TablePlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of a statement's queries and lists, and the routines and sequences in them. */
final class TableUses implements TablePlaces.Reader {

  /** With what they need of the sequence: to draw a number is a change. */
  private static final Map<String, List<Privilege>> FUNCTIONS_OF_SEQUENCES =
      Map.of(
          "NEXTVAL", List.of(Privilege.INSERT, Privilege.SELECT),
          "LASTVAL", List.of(Privilege.SELECT),
          "SETVAL", List.of(Privilege.INSERT));

  private final Words words;
  private final List<TableUse> uses = new ArrayList<>();
  private final List<Need> others = new ArrayList<>();
  private final CommonTables commonTables;
  private final TablePlaces places;

  TableUses(Words words) {
    this.words = words;
    this.places = new TablePlaces(words.kept(), this);
    this.commonTables = new CommonTables(words.tokens(), () -> false);
  }

  /** In the order of the text. */
  List<TableUse> uses() {
    return uses;
  }

  /** Routines and sequences that are used. */
  List<Need> others() {
    return others;
  }

  /** Where they are looked for. */
  TablePlaces in() {
    return places;
  }

  // ---------------------------------------------------------------- what stands in them

  @Override
  public int table(int i, boolean isRead) {
    Name name = Name.at(words, i);
    if (name.schema() != null || !commonTables.isSurelyOne(words.token(i))) {
      add(name, isRead);
    }
    return name.behind();
  }

  @Override
  public int other(int i) {
    return words.isWord(i, "FOR") ? following(i) : function(i);
  }

  @Override
  public void doubt(String what) {
    throw Words.doubt(what);
  }

  /** {@code NEXT VALUE FOR s}. */
  private int following(int i) {
    return isOfSequence(i)
        ? sequence(i + 1, words.isWord(i - 2, "NEXT") ? "NEXTVAL" : "LASTVAL")
        : i + 1;
  }

  /** Whether FOR at {@code i} is that of {@code NEXT VALUE FOR s}. */
  private boolean isOfSequence(int i) {
    return words.isWord(i, "FOR")
        && words.isWord(i - 1, "VALUE")
        && (words.isWord(i - 2, "NEXT") || words.isWord(i - 2, "PREVIOUS"));
  }

  private int function(int i) {
    String function = words.word(i);
    if (FUNCTIONS_OF_SEQUENCES.containsKey(function) && words.isPunctuation(i + 1, '(')) {
      sequence(i + 2, function);
      return i + 1;
    }
    if (words.isName(i) && words.isPunctuation(i + 1, '(')) {
      routine(i);
    }
    boolean isMember = words.isPunctuation(i - 1, '.') && words.isName(i - 2);
    boolean draws = words.name(i).equalsIgnoreCase("NEXTVAL");
    if (isMember && (draws || words.name(i).equalsIgnoreCase("CURRVAL"))) {
      boolean isQualified = words.isPunctuation(i - 3, '.') && words.isName(i - 4);
      String schema = isQualified ? words.name(i - 4) : null;
      drawn(schema, words.name(i - 2), draws ? "NEXTVAL" : "LASTVAL");
    }
    return i + 1;
  }

  private void routine(int i) {
    if (words.token(i + 1) != words.token(i) + 1) {
      throw Words.doubt("a comment in front of arguments");
    }
    SqlFunction function = FunctionUses.at(words.tokens(), words.token(i));
    if (function != null && function.is(Trait.UNKNOWN)) {
      boolean isQualified = words.isPunctuation(i - 1, '.');
      String schema = isQualified ? words.name(i - 2) : null;
      others.add(new Need.Routine(Privilege.EXECUTE, schema, words.name(i)));
    }
  }

  private int sequence(int i, String function) {
    Name name = Name.at(words, i);
    drawn(name.schema(), name.name(), function);
    return name.behind();
  }

  private void drawn(@Nullable String schema, String name, String function) {
    for (Privilege privilege :
        Objects.requireNonNull(FUNCTIONS_OF_SEQUENCES.get(function), function)) {
      others.add(new Need.OnTable(privilege, schema, name));
    }
  }

  /** Sequences that defaults of columns draw from. */
  void defaults(int from, int to) {
    for (int i : words.between(from, to).where(each -> draws(each) || isOfSequence(each))) {
      if (draws(i)) {
        function(i);
      } else {
        following(i);
      }
    }
  }

  private boolean draws(int i) {
    boolean isFunction =
        FUNCTIONS_OF_SEQUENCES.containsKey(words.word(i)) && words.isPunctuation(i + 1, '(');
    boolean isMember =
        words.isPunctuation(i - 1, '.')
            && (words.name(i).equalsIgnoreCase("NEXTVAL")
                || words.name(i).equalsIgnoreCase("CURRVAL"));
    return isFunction || isMember;
  }

  private void add(Name name, boolean isRead) {
    int i = name.behind();
    if (words.isWord(i, "PARTITION") && words.isPunctuation(i + 1, '(')) {
      i = words.closing(i + 1) + 1;
    }
    String alias = name.name();
    if (words.isWord(i, "AS")) {
      alias = words.name(i + 1);
      i += 2;
    } else if (words.isName(i) && !ClauseEnds.endsTable(words.kept(), i)) {
      alias = words.name(i);
      i++;
    }
    boolean isCertain =
        i >= words.size()
            || words.isPunctuation(i, ',')
            || words.isPunctuation(i, ')')
            || ClauseEnds.endsTable(words.kept(), i);
    uses.add(new TableUse(name.schema(), name.name(), alias, isCertain, isRead));
  }
}
