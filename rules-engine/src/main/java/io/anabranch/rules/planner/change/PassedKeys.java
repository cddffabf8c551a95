package io.anabranch.rules.planner.change;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.placement.StoredExpression;
import io.anabranch.rules.plan.Passing;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.ChangeSyntax.Assignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The primary and unique keys of a table whose rows move, before and behind an UPDATE: {@code SET
 * id = id + 1} of 1 and 2 is an error of one server, which does not know that 2 leaves. Used once.
 */
final class PassedKeys {

  private static final int NOWHERE = -1;

  private final Analysis analysis;
  private final SqlTokens tokens;
  private final ChangeSyntax syntax;
  private final ChangedTable changed;
  private final List<Assignment> moving;

  /** Those with a column that places rows. */
  private final List<TableKey> keys;

  /** By lower-case name of a column: the part that it is. */
  private final Map<String, PassedPart> parts = new HashMap<>();

  PassedKeys(
      Analysis analysis, ChangeSyntax syntax, ChangedTable changed, List<Assignment> moving) {
    this.analysis = analysis;
    this.tokens = analysis.source().tokens();
    this.syntax = syntax;
    this.changed = changed;
    this.moving = moving;
    this.keys =
        analysis.task().keys(changed.nodes()).stream()
            .filter(key -> key.unique() && key.parts().stream().anyMatch(this::moves))
            .toList();
  }

  private boolean moves(TableKey.Part part) {
    return part.column() != null && place(part.column()) >= 0;
  }

  private int place(String column) {
    for (int i = 0; i < moving.size(); i++) {
      if (moving.get(i).column().equalsIgnoreCase(column)) {
        return i;
      }
    }
    return NOWHERE;
  }

  /** Adds to a select list that has the new values of the sharding columns. */
  void select(Substatement.Builder query) {
    int next = moving.size();
    for (Column column : changed.schema().columns()) {
      String name = column.name();
      if (keys.stream().noneMatch(key -> key.hasWhole(name))) {
        continue;
      }
      int before = next++;
      query.text(", " + TableNames.quoted(name));
      int behind = place(name);
      Assignment assignment = behind < 0 ? assignment(name) : null;
      if (assignment != null && isTold(assignment)) {
        query.text(", ");
        StoredExpression.append(
            query, column, assignment.value().first(), assignment.value().behind());
        behind = next++;
      } else if (assignment == null && behind < 0) {
        behind = column.generated() || column.clocked() ? NOWHERE : before;
      }
      parts.put(name.toLowerCase(Locale.ROOT), new PassedPart(column, before, behind));
    }
  }

  private @Nullable Assignment assignment(String column) {
    return syntax.assignments().stream()
        .filter(one -> one.column().equalsIgnoreCase(column))
        .findFirst()
        .orElse(null);
  }

  /** Whether a query before the UPDATE computes what it will set. */
  private boolean isTold(Assignment assignment) {
    Set<String> before = new HashSet<>();
    for (Assignment one :
        syntax.assignments().subList(0, syntax.assignments().indexOf(assignment))) {
      before.add(one.column().toLowerCase(Locale.ROOT));
    }
    Span value = assignment.value();
    boolean isOther =
        tokens
            .in(value)
            .has(
                token ->
                    tokens.isAnyWord(token, "SELECT", "DEFAULT")
                        || tokens.kind(token) == TokenKind.VARIABLE
                        || before.contains(tokens.lowerName(token)));
    return !isOther
        && FunctionUses.first(
                tokens,
                value.first(),
                value.behind(),
                function ->
                    function.is(Trait.RANDOM)
                        || function.is(Trait.CLOCK)
                        || function.is(Trait.SESSION)
                        || function.is(Trait.SERVER)
                        || function.is(Trait.SEQUENCE)
                        || function.is(Trait.UNKNOWN))
            == null;
  }

  /** Adds the order in which a server changes the rows, as far as it is known. */
  void order(Substatement.Builder query) {
    if (keys.isEmpty() || !isOrdered()) {
      return;
    }
    if (syntax.isOrdered()) {
      query.text(" ").tokens(syntax.order(), syntax.limit());
      return;
    }
    String separator = " ORDER BY ";
    for (Column column : primary()) {
      query.text(separator + TableNames.quoted(column.name()));
      separator = ", ";
    }
  }

  private List<Column> primary() {
    return changed.schema().columns().stream().filter(Column::key).toList();
  }

  /**
   * By ORDER BY, or by the primary key, which is how tables are read of which no other key finds
   * rows: a WHERE that names its columns alone.
   */
  private boolean isOrdered() {
    if (syntax.isOrdered()) {
      boolean isColumn =
          tokens
              .between(syntax.order(), syntax.limit())
              .consistsOf(
                  token ->
                      tokens.isName(token)
                          || tokens.kind(token) == TokenKind.WORD
                          || tokens.isPunctuation(token, ',')
                          || tokens.isPunctuation(token, '.'));
      return isColumn;
    }
    if (tokens
        .between(syntax.where(), syntax.order())
        .has(
            token ->
                tokens.isWord(token, "SELECT")
                    || (tokens.isName(token) && isOther(tokens.name(token))))) {
      return false;
    }
    return !primary().isEmpty();
  }

  private boolean isOther(String name) {
    return changed.schema().columns().stream()
        .anyMatch(column -> !column.key() && column.name().equalsIgnoreCase(name));
  }

  /** To be asked when {@link #select} has added what it reads. */
  Passing passing() {
    String source = changed.nodes().getFirst().dataSource();
    boolean isMariaDb = analysis.task().catalog().isMariaDb(source);
    String front = isMariaDb ? "" : changed.table().ref().name() + ".";
    var read = new ArrayList<Passing.Key>();
    for (TableKey key : keys) {
      List<PassedPart> parted = key.parts().stream().map(this::part).toList();
      read.add(
          new Passing.Key(
              values -> value(parted, part -> part.readBefore(values)),
              values -> value(parted, part -> part.readBehind(values)),
              front + key.name()));
    }
    return new Passing(read, isOrdered());
  }

  private PassedPart part(TableKey.Part part) {
    PassedPart whole =
        part.column() == null || part.prefix() > 0
            ? null
            : parts.get(part.column().toLowerCase(Locale.ROOT));
    return whole == null ? new PassedPart(null, NOWHERE, NOWHERE) : whole;
  }

  private static Passing.@Nullable Value value(
      List<PassedPart> parts, Function<PassedPart, PassedPart.Read> reader) {
    var text = new StringBuilder();
    var sure = new StringBuilder();
    var folded = new StringBuilder();
    boolean told = true;
    boolean isSureTold = true;
    for (PassedPart part : parts) {
      PassedPart.Read read = reader.apply(part);
      if (read.isNull()) {
        return null;
      }
      String one = read.text();
      told &= one != null;
      isSureTold &= one != null || !read.isSure();
      if (one != null) {
        text.append(text.isEmpty() ? "" : "-").append(one);
        (read.isSure() ? sure : folded)
            .append(read.isSure() ? one : PassedPart.folded(one))
            .append('\0');
      }
    }
    return new Passing.Value(
        text.toString(), isSureTold ? sure.toString() : null, folded.toString(), told);
  }
}
