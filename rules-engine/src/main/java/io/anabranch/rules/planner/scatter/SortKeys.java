package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.resolve.StandingPaths;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** What ORDER BY and GROUP BY sort by, as columns of a leg. */
final class SortKeys {

  /** One name, qualified or not: two of them with a blank between are {@code s COLLATE c}. */
  private static final Pattern NAME =
      Pattern.compile(
          "\\s*(?:NAME\\s*\\.\\s*)*NAME\\s*".replace("NAME", "(?:`[^`]*`|[\\w$\\x80-\\xff]+)"));

  /** Adds an ORDER BY item that is an aggregate to the legs. */
  interface AggregateColumn {
    int add(SelectItem item, Span span);
  }

  private final ScatterDraft draft;
  private final StandingPaths paths;
  private final SlotValues values;

  /** Whether there are groups, of all rows perhaps, or DISTINCT. */
  private final boolean bringsTogether;

  SortKeys(ScatterDraft draft) {
    this.draft = draft;
    this.paths = new StandingPaths(draft.analysis());
    this.values = draft.analysis().task().written();
    SelectFacts select = draft.select();
    this.bringsTogether =
        select.isGrouped()
            || select.distinct()
            || select.items().stream().anyMatch(SelectItem::hasAggregates);
  }

  List<KeyDraft> orderBy(AggregateColumn aggregates) {
    var keys = new ArrayList<KeyDraft>();
    for (int i = 0; i < draft.select().orderBy().size(); i++) {
      var order = draft.select().orderBy().get(i);
      Span span = draft.layout().orderBy().get(i);
      if (order.item() instanceof SelectItem.Literal) {
        literal(span, order.descending(), keys);
        continue;
      }
      int column = draft.output().outputColumn(order.item(), span);
      if (column >= 0) {
        keys.add(new KeyDraft(column, draft.output().expressionOf(column), order.descending()));
      } else {
        List<Piece> expression = draft.copy(span);
        int hidden =
            order.item().hasAggregates()
                ? aggregates.add(order.item(), span)
                : draft.leg().add(expression);
        keys.add(new KeyDraft(hidden, expression, order.descending()));
      }
    }
    return keys;
  }

  /** {@code ORDER BY 2} means a column, {@code ORDER BY NULL} nothing. */
  void literal(Span span, boolean descending, List<KeyDraft> keys) {
    var tokens = draft.tokens();
    int token = span.first();
    if (span.behind() != token + 1 || tokens.kind(token) != TokenKind.NUMBER) {
      return;
    }
    // whatever is found now: 2 and 00002 are one statement to the plan cache
    draft.guard(tokens.slot(token));
    long position = tokens.wholeNumber(token);
    if (position < 0) {
      return;
    }
    if (position == 0 || position > draft.leg().visible()) {
      throw new NotMergeableException("a position outside of the select list", "count again");
    }
    int column = (int) position - 1;
    keys.add(new KeyDraft(column, draft.output().expressionOf(column), descending));
  }

  /** MySQL brings rows together by the time that it shows, and sorts them by the moment. */
  private Comparability rule(ResultColumn type) {
    Comparability rule = Comparability.of(type);
    return rule == Comparability.MOMENT && bringsTogether && !draft.isMariaDb()
        ? Comparability.VALUE
        : rule;
  }

  /**
   * Adds the hidden columns that the keys' types need.
   *
   * @param overAggregate columns of the leg that are partial results: only their values compare
   * @param groupBy GROUP BY of the legs
   */
  List<SortKey> weighted(List<KeyDraft> keys, IntPredicate overAggregate, List<Piece> groupBy) {
    LegColumns leg = draft.leg();
    boolean hidden = keys.stream().anyMatch(key -> key.column() >= leg.visible());
    List<ResultColumn> types =
        hidden ? draft.columns(draft.sql(List.of(), groupBy)) : draft.visible();
    // not in DISTINCT
    boolean substitutes = !draft.layout().orderBy().isEmpty() || draft.select().isGrouped();
    var sorted = new ArrayList<SortKey>();
    for (KeyDraft key : keys) {
      ResultColumn type = types.get(key.column());
      Comparability rule = rule(type);
      if (substitutes && !isColumn(key.expression())) {
        Refusal refusal = paths.ofKey(text(key.expression()));
        if (refusal != null) {
          throw new NotMergeableException(refusal.construct(), refusal.wayOut());
        }
      }
      if (rule == Comparability.NONE
          || (rule != Comparability.VALUE && overAggregate.test(key.column()))) {
        throw new NotMergeableException(
            "ordering or grouping by " + type.name(), "order by a plain column");
      }
      if (Comparability.isString(type) && draft.analysis().task().scope().shortensKeys()) {
        throw new NotMergeableException(
            "ordering or grouping by strings under a max_sort_length of the session",
            "SET max_sort_length = DEFAULT");
      }
      if (rule == Comparability.WEIGHT && isParameter(key.expression())) {
        throw new NotMergeableException(
            "ordering or grouping by a parameter", "leave it out: it is the same for all rows");
      }
      boolean wraps = !groupBy.isEmpty() && !isColumn(key.expression());
      int weight =
          rule == Comparability.VALUE
              ? -1
              : leg.add(
                  (wraps ? grouped(rule) : "") + rule.before(),
                  key.expression(),
                  rule.after() + (wraps ? behind(rule) : ""));
      byte[] pad =
          rule == Comparability.WEIGHT
              ? draft.pad(key.column(), key.expression(), groupBy)
              : new byte[0];
      if (pad.length > 0
          && !isColumn(key.expression())
          && draft.sortsExpressionsUnpadded(key.column())) {
        throw new NotMergeableException(
            "ordering or grouping by an expression of " + type.name() + ", a binary collation,",
            "order by a plain column");
      }
      sorted.add(new SortKey(key.column(), weight, pad, key.descending()));
    }
    return List.copyOf(sorted);
  }

  /** What is bound may be no string. */
  private boolean isParameter(List<Piece> expression) {
    List<Piece> written = expression.stream().filter(piece -> !isBlank(piece)).toList();
    return written.size() == 1
        && written.getFirst() instanceof Piece.Slot slot
        && draft.analysis().task().scan().slotKind(slot.slot()) == SlotKind.PARAMETER;
  }

  private static boolean isBlank(Piece piece) {
    return piece instanceof Piece.Text text
        && new String(text.bytes(), StandardCharsets.ISO_8859_1).isBlank();
  }

  /** Weights of strings that mix collations would be of none, of which there is no least. */
  private static String grouped(Comparability rule) {
    return rule == Comparability.WEIGHT ? "MIN(CAST(" : "MIN(";
  }

  private static String behind(Comparability rule) {
    return rule == Comparability.WEIGHT ? " AS BINARY))" : ")";
  }

  /**
   * Whether it is a plain column. Under ONLY_FULL_GROUP_BY a function of any other grouped
   * expression counts as not grouped, although all rows of a group give it the same value.
   */
  private boolean isColumn(List<Piece> expression) {
    return NAME.matcher(text(expression)).matches();
  }

  private String text(List<Piece> expression) {
    var text = new SqlBuffer(64);
    for (Piece piece : expression) {
      switch (piece) {
        case Piece.Text part -> text.append(part.bytes());
        case Piece.Slot(int slot) -> values.appendTo(slot, text);
        case Piece.Table _, Piece.Keys _ -> text.append(new byte[] {'t'});
      }
    }
    return new String(text.toByteArray(), draft.analysis().source().charset());
  }
}
