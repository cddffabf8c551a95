package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.Source.Output;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of queries' answers and which of them hold ciphertext: of {@code SELECT phone AS p,
 * id} the first, under the name {@code p}.
 */
final class QueryOutputs {

  private final SqlTokens tokens;
  private final QueryLegs legs;
  private final ColumnNames names;
  private final Map<Scope, List<Output>> known = new HashMap<>();

  /** Of whole queries, by their parentheses. */
  private final Map<Integer, List<Output>> combined = new HashMap<>();

  /** Queries that are items of a select list. */
  private final Set<Integer> scalars = new HashSet<>();

  /** Queries whose columns are being found out. */
  private final Set<Integer> asked = new HashSet<>();

  QueryOutputs(SqlTokens tokens, QueryLegs legs, ColumnNames names) {
    this.tokens = tokens;
    this.legs = legs;
    this.names = names;
  }

  /** One item: where its column stands, if it is one and nothing else. */
  record Item(Span span, int first, int name, int alias, boolean isStar) {

    boolean isColumn() {
      return name >= 0 && !isStar;
    }
  }

  Item item(Span span) {
    int first = span.first();
    int last = tokens.isName(first) ? tokens.lastOfName(first) : -1;
    int star = last >= 0 && tokens.isPunctuation(last + 1, '.') ? last + 2 : first;
    if (tokens.isOperator(star, "*") && star + 1 == span.behind()) {
      return new Item(span, first, star, -1, true);
    }
    int alias = alias(span);
    int behind = alias < 0 ? span.behind() : tokens.isWord(alias - 1, "AS") ? alias - 1 : alias;
    boolean isColumn = last >= 0 && last + 1 == behind;
    return new Item(span, first, isColumn ? last : -1, alias, false);
  }

  /** The alias; -1 where there is none for sure, or it cannot be told. */
  private int alias(Span span) {
    int last = span.behind() - 1;
    if (last <= span.first()) {
      return -1;
    }
    if (tokens.isWord(last - 1, "AS")) {
      return last;
    }
    boolean isBehindOperand =
        tokens.isName(last - 1)
            || tokens.isPunctuation(last - 1, ')')
            || tokens.slot(last - 1) >= 0;
    return tokens.isName(last) && isBehindOperand && !tokens.isWord(last, "END") ? last : -1;
  }

  /** The columns of a query's answer. */
  List<Output> outputs(int open) {
    List<Output> made = combined.get(open);
    if (made != null) {
      return made;
    }
    if (!asked.add(open)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a common table that reads itself beside tables with encrypted columns",
          "read the rows of each step by a statement of its own");
    }
    List<Output> columns = combined(open);
    asked.remove(open);
    combined.put(open, columns);
    return columns;
  }

  private List<Output> combined(int open) {
    List<Scope> all = legs.legs(open);
    if (all.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a query without SELECT beside tables with encrypted columns", "write a plain SELECT");
    }
    List<Output> first = outputs(all.getFirst());
    for (Scope leg : all) {
      List<Output> others = outputs(leg);
      for (int i = 0; i < Math.min(first.size(), others.size()); i++) {
        if (!isAlike(first.get(i).column(), others.get(i).column())) {
          EncryptedColumn named =
              first.get(i).column() == null ? others.get(i).column() : first.get(i).column();
          throw EncryptedPlaces.refused(
              "UNION and the like of different columns",
              named,
              "select columns with the same encryptor in all of them");
        }
      }
    }
    return first;
  }

  private static boolean isAlike(@Nullable EncryptedColumn one, @Nullable EncryptedColumn other) {
    return one == null
        ? other == null
        : other != null && one.cipher().encryptor().equals(other.cipher().encryptor());
  }

  List<Output> outputs(Scope scope) {
    List<Output> made = known.get(scope);
    if (made == null) {
      made = List.copyOf(made(scope));
      known.put(scope, made);
    }
    return made;
  }

  private List<Output> made(Scope scope) {
    var outputs = new ArrayList<Output>();
    for (Span span : scope.items(tokens)) {
      Item item = item(span);
      if (item.isStar()) {
        for (Source source : starred(scope, item)) {
          outputs.addAll(visible(source));
        }
        continue;
      }
      String alias = item.alias() < 0 ? null : alias(item.alias());
      if (item.isColumn()) {
        NamedColumn named = names.named(item.first(), item.name());
        outputs.add(new Output(name(item), named == null ? null : named.column()));
      } else {
        outputs.add(new Output(alias, scalar(item)));
      }
    }
    return outputs;
  }

  /** What a column's item is called; null: it has to be looked at closely. */
  @Nullable String name(Item item) {
    return item.alias() < 0 ? tokens.name(item.name()) : alias(item.alias());
  }

  /** What stands in front of a column's name, with its points. */
  String qualifier(Item item) {
    return String.join("", tokens.between(item.first(), item.name()).texts());
  }

  /** As the server knows it, which takes strings as well; null: it has to be looked at closely. */
  private @Nullable String alias(int token) {
    String text = tokens.text(token);
    if (tokens.isName(token)) {
      return tokens.name(token);
    }
    boolean isPlain =
        text.length() > 2
            && text.chars().skip(1).limit(text.length() - 2L).allMatch(QueryOutputs::isPlain);
    return isPlain ? text.substring(1, text.length() - 1) : null;
  }

  private static boolean isPlain(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == ' ' || c == '.' || c == '-';
  }

  /** Of a query in parentheses that is all of the item. */
  private @Nullable EncryptedColumn scalar(Item item) {
    int open = item.first();
    int end = item.alias() < 0 ? item.span().behind() : item.alias();
    end -= tokens.isWord(end - 1, "AS") ? 1 : 0;
    boolean isQuery =
        tokens.isPunctuation(open, '(')
            && tokens.isWord(open + 1, "SELECT")
            && tokens.closing(open) == end - 1;
    if (!isQuery) {
      return null;
    }
    List<Output> inner = outputs(open);
    if (inner.size() != 1 || inner.getFirst().column() == null) {
      return null;
    }
    scalars.add(open);
    return inner.getFirst().column();
  }

  List<Source> starred(Scope scope, Item item) {
    if (item.first() == item.name()) {
      return scope.sources;
    }
    String qualifier = tokens.name(item.name() - 2);
    return scope.sources.stream()
        .filter(source -> source.alias().equalsIgnoreCase(qualifier))
        .limit(1)
        .toList();
  }

  /** The columns that {@code *} stands for, by their logical names. */
  List<Output> visible(Source source) {
    return switch (source) {
      case Source.Table table -> visible(table);
      case Source.Derived derived -> derived.outputs().get();
      case Source.Unknown unknown -> List.of(new Output(unknown.alias() + ".*", null));
    };
  }

  private static List<Output> visible(Source.Table table) {
    Optional<TableSchema> schema = table.schema().get();
    EncryptedTable encrypted = table.encrypted();
    var outputs = new ArrayList<Output>();
    if (schema.isEmpty()) {
      return outputs;
    }
    for (Column column : schema.get().columns()) {
      EncryptedColumn of = encrypted == null ? null : encrypted.ofStored(column.name());
      boolean isCipher = of != null && of.cipher().name().equalsIgnoreCase(column.name());
      boolean isShadowed =
          of == null && encrypted != null && encrypted.column(column.name()) != null;
      if (!column.hidden() && !isShadowed && (of == null || isCipher)) {
        outputs.add(new Output(of == null ? column.name() : of.name(), of));
      }
    }
    return outputs;
  }

  /** Whether a query is an item of a select list that was asked for. */
  boolean isScalar(int open) {
    return scalars.contains(open);
  }
}
