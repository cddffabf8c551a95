package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.planner.encrypt.Source.Output;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The select lists of a statement, written over stored columns: {@code SELECT phone} becomes {@code
 * SELECT phone_cipher AS phone}. Who reads them is beside it: {@link ColumnNames}, {@link
 * QueryLegs}, {@link QueryOutputs}, {@link EncryptedPlaces}.
 */
final class QueryText {

  private final StoredText text;
  private final SqlTokens tokens;
  private final Scopes scopes;
  private final QueryLegs legs;
  private final ColumnNames names;
  private final QueryOutputs outputs;
  private final EncryptedPlaces places;

  /** Columns that are copied from a SELECT's, by its number there. */
  private final Map<Scope, Map<Integer, EncryptedColumn>> copied = new HashMap<>();

  /** The SELECT of a view that has all that is stored; null: there is none. */
  private @Nullable Scope carrier;

  /** What the names of columns end with that stand in the place of each of the view's. */
  private final List<List<String>> carried = new ArrayList<>();

  QueryText(StoredText text, EncryptedNames encrypted) {
    this.text = text;
    this.tokens = text.tokens();
    this.scopes = new Scopes(text, encrypted, this::answer);
    this.legs = new QueryLegs(tokens, scopes);
    this.names = new ColumnNames(tokens, scopes);
    this.outputs = new QueryOutputs(tokens, legs, names);
    this.places = new EncryptedPlaces(tokens, scopes, legs, outputs);
  }

  private List<Output> answer(int open) {
    return outputs.outputs(open);
  }

  ColumnNames names() {
    return names;
  }

  QueryLegs legs() {
    return legs;
  }

  QueryOutputs outputs() {
    return outputs;
  }

  EncryptedPlaces places() {
    return places;
  }

  Scopes scopes() {
    return scopes;
  }

  /** Names in lower case under which columns that are encrypted are known. */
  Set<String> aliases() {
    var all = new HashSet<String>();
    for (Scope scope : scopes.selects()) {
      for (Output output : outputs.outputs(scope)) {
        if (output.column() != null && output.name() != null) {
          all.add(output.name().toLowerCase(Locale.ROOT));
        }
      }
    }
    return all;
  }

  /**
   * A column of a SELECT goes into another one as it is stored.
   *
   * @param to has nothing stored that the SELECT's has not
   */
  void copy(Scope select, int number, EncryptedColumn to) {
    copied.computeIfAbsent(select, _ -> new HashMap<>()).put(number, to);
  }

  /** A SELECT gets columns for all that is stored, named by {@link EncryptedViews}. */
  void carry(Scope select) {
    carrier = select;
  }

  /** For each column of such a SELECT, once it is written, the ends of names in its place. */
  List<List<String>> carried() {
    return carried;
  }

  // ---------------------------------------------------------------- writing

  /** Writes the items of a SELECT over stored columns. */
  void write(Scope scope) {
    SelectSpans select = scope.select;
    if (select == null) {
      return;
    }
    int open = legs.query(select);
    Output encrypted =
        outputs.outputs(scope).stream()
            .filter(output -> output.column() != null)
            .findFirst()
            .orElse(null);
    boolean exists = open >= 0 && tokens.isWord(open - 1, "EXISTS");
    if (encrypted != null && !exists) {
      places.require(scope, select, open, encrypted);
    }
    items(scope, places.compared(open), encrypted, exists);
  }

  /**
   * Writes the items of RETURNING.
   *
   * @param returning the word
   */
  void returned(int returning) {
    Scope scope = scopes.statement();
    int end = tokens.isPunctuation(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
    scope.returned = tokens.between(returning + 1, end).parts();
    items(scope, null, null, false);
  }

  private void items(
      Scope scope, @Nullable NamedColumn with, @Nullable Output encrypted, boolean exists) {
    Map<Integer, EncryptedColumn> targets = copied.getOrDefault(scope, Map.of());
    int number = 0;
    for (Span span : scope.items(tokens)) {
      QueryOutputs.Item item = outputs.item(span);
      EncryptedColumn to = targets.get(number);
      if (item.isStar() && scope.isEncrypted() && !exists) {
        if (!targets.isEmpty()) {
          throw EncryptedPlaces.refused(
              "INSERT … SELECT *",
              encrypted == null ? null : encrypted.column(),
              "name the columns");
        }
        star(scope, item);
      } else if (to != null) {
        copied(item, to);
      } else if (!isCarried(scope, item) && item.isColumn()) {
        column(item, with);
      }
      number++;
    }
  }

  /** The one column of a SELECT where it is encrypted and nothing else; null: it is not. */
  @Nullable NamedColumn only(Scope scope) {
    SelectSpans select = scope.select;
    List<Span> spans = select == null ? List.of() : select.items(tokens);
    if (spans.size() != 1) {
      return null;
    }
    QueryOutputs.Item item = outputs.item(spans.getFirst());
    return item.isColumn() ? names.named(item.first(), item.name()) : null;
  }

  private void copied(QueryOutputs.Item item, EncryptedColumn to) {
    NamedColumn named = item.isColumn() ? names.named(item.first(), item.name()) : null;
    if (named == null || !named.isStored()) {
      throw EncryptedPlaces.refused(
          "INSERT … SELECT of more than a column", to, "select the column of its table");
    }
    String qualifier = outputs.qualifier(item);
    var columns = new ArrayList<String>();
    columns.add(qualifier + TableNames.quoted(named.column().cipher().name()));
    Stored assisted = named.column().assisted();
    if (to.assisted() != null && assisted != null) {
      columns.add(qualifier + TableNames.quoted(assisted.name()));
    }
    Stored like = named.column().like();
    if (to.like() != null && like != null) {
      columns.add(qualifier + TableNames.quoted(like.name()));
    }
    text.replace(item.first(), item.name() + 1, String.join(", ", columns));
    if (item.alias() >= 0) {
      text.understand(item.alias(), item.alias() + 1);
    }
  }

  /** Writes an item of a view's that has all that is stored; false: it is as in any SELECT. */
  private boolean isCarried(Scope scope, QueryOutputs.Item item) {
    if (!scope.equals(carrier) || item.isStar()) {
      return false;
    }
    NamedColumn named = item.isColumn() ? names.named(item.first(), item.name()) : null;
    String name = item.isColumn() ? outputs.name(item) : null;
    if (named == null || !named.isStored() || name == null) {
      carried.add(List.of(""));
      return false;
    }
    String qualifier = outputs.qualifier(item);
    String items = String.join(", ", carried(qualifier, name, named.column()));
    text.replace(item.span().first(), item.span().behind(), " " + items + " ");
    return true;
  }

  private List<String> carried(String qualifier, String name, EncryptedColumn column) {
    var items = new ArrayList<String>();
    var suffixes = new ArrayList<String>();
    for (Stored stored : column.stored()) {
      String suffix =
          stored.equals(column.cipher())
              ? ""
              : stored.equals(column.assisted()) ? EncryptedViews.EQUAL : EncryptedViews.LIKE;
      if (suffix.isEmpty() || ViewText.isShort(name)) {
        items.add(
            qualifier
                + TableNames.quoted(stored.name())
                + " AS "
                + TableNames.quoted(name + suffix));
        suffixes.add(suffix);
      }
    }
    carried.add(suffixes);
    return items;
  }

  private void column(QueryOutputs.Item item, @Nullable NamedColumn with) {
    NamedColumn named = names.named(item.first(), item.name());
    if (named == null) {
      return;
    }
    if (item.alias() >= 0) {
      text.understand(item.alias(), item.alias() + 1);
    }
    Stored stored = named.column().cipher();
    if (with != null) {
      stored = NamedColumn.pair(with, named)[1];
    }
    if (!named.isStored()) {
      text.understand(item.first(), item.name() + 1);
      return;
    }
    String alias = item.alias() >= 0 ? "" : " AS " + TableNames.quoted(tokens.name(item.name()));
    text.replace(item.name(), item.name() + 1, TableNames.quoted(stored.name()) + alias);
    text.understand(item.first(), item.name() + 1);
  }

  private void star(Scope scope, QueryOutputs.Item item) {
    List<Source> sources = outputs.starred(scope, item);
    if (scope.isMerged && item.first() == item.name()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SELECT * of JOIN … USING over encrypted columns", "name the columns");
    }
    var columns = new ArrayList<String>();
    for (Source source : sources) {
      if (outputs.visible(source).isEmpty()) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "SELECT * over '" + source.alias() + "', whose columns are not known,",
            "name the columns");
      }
      for (Output output : outputs.visible(source)) {
        String name = output.name();
        if (name == null || source instanceof Source.Unknown) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "SELECT * over '" + source.alias() + "', whose columns have no names,",
              "give them aliases");
        }
        EncryptedColumn column = output.column();
        String qualifier = TableNames.quoted(source.alias()) + ".";
        if (column != null && source.isStored() && scope.equals(carrier)) {
          columns.addAll(carried(qualifier, name, column));
          continue;
        }
        if (scope.equals(carrier)) {
          carried.add(List.of(""));
        }
        columns.add(
            column != null && source.isStored()
                ? qualifier
                    + TableNames.quoted(column.cipher().name())
                    + " AS "
                    + TableNames.quoted(name)
                : qualifier + TableNames.quoted(name));
      }
    }
    if (columns.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + tokens.text(item.first()) + ".*' beside tables with encrypted columns",
          "name the columns");
    }
    text.replace(item.first(), item.span().behind(), " " + String.join(", ", columns) + " ");
  }
}
