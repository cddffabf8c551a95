package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.SQLOrderingSpecification;
import com.alibaba.druid.sql.ast.SQLSetQuantifier;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOperator;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlSelectQueryBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The clauses of an outermost plain SELECT. */
final class SelectReader {

  private final MarkedText text;
  private final ConditionReader conditions;
  private final ItemReader items;

  SelectReader(MarkedText text, ConditionReader conditions) {
    this.text = text;
    this.conditions = conditions;
    this.items = new ItemReader(text, conditions);
  }

  /** Null where {@code select} is not one plain query block. */
  @Nullable SelectFacts read(SQLSelect select) {
    if (!(select.getQuery() instanceof MySqlSelectQueryBlock block)
        || select.getWithSubQuery() != null
        || select.getOrderBy() != null
        || select.getLimit() != null
        || block.getInto() != null
        || block.isParenthesized()) {
      return null;
    }
    var selected = new ArrayList<SelectItem>();
    var aliases = new ArrayList<@Nullable String>();
    for (var item : block.getSelectList()) {
      selected.add(items.read(item.getExpr()));
      aliases.add(item.getAlias() == null ? null : text.name(item.getAlias()));
    }
    var groupBy = block.getGroupBy();
    var limit = block.getLimit();
    return new SelectFacts(
        selected,
        aliases,
        isDistinct(block),
        groupBy == null ? List.of() : groupBy.getItems().stream().map(items::read).toList(),
        groupBy != null && (groupBy.isWithRollUp() || groupBy.isWithCube()),
        groupBy == null || groupBy.getHaving() == null ? List.of() : having(groupBy.getHaving()),
        orderBy(block),
        limit == null
            ? null
            : new SelectFacts.LimitFacts(
                conditions.operand(limit.getRowCount()),
                limit.getOffset() == null ? null : conditions.operand(limit.getOffset())),
        block.isCalcFoundRows());
  }

  private static boolean isDistinct(MySqlSelectQueryBlock block) {
    return block.getDistionOption() == SQLSetQuantifier.DISTINCT
        || block.getDistionOption() == SQLSetQuantifier.DISTINCTROW;
  }

  private List<SelectFacts.OrderItem> orderBy(MySqlSelectQueryBlock block) {
    if (block.getOrderBy() == null) {
      return List.of();
    }
    return block.getOrderBy().getItems().stream()
        .map(
            item ->
                new SelectFacts.OrderItem(
                    items.read(item.getExpr()), item.getType() == SQLOrderingSpecification.DESC))
        .toList();
  }

  private List<SelectFacts.HavingTerm> having(SQLExpr having) {
    var terms = new ArrayList<SelectFacts.HavingTerm>();
    SQLExpr rest = having;
    while (rest instanceof SQLBinaryOpExpr binary
        && binary.getOperator() == SQLBinaryOperator.BooleanAnd) {
      terms.addFirst(term(binary.getRight()));
      rest = binary.getLeft();
    }
    terms.addFirst(term(rest));
    return terms;
  }

  private SelectFacts.HavingTerm term(SQLExpr expression) {
    if (expression instanceof SQLBinaryOpExpr binary) {
      String operator =
          switch (binary.getOperator()) {
            case Equality -> "EQUAL";
            case NotEqual, LessThanOrGreater -> "NOT_EQUAL";
            case LessThan -> "LESS";
            case LessThanOrEqual -> "LESS_OR_EQUAL";
            case GreaterThan -> "GREATER";
            case GreaterThanOrEqual -> "GREATER_OR_EQUAL";
            default -> "";
          };
      Operand value = conditions.operand(binary.getRight());
      if (!operator.isEmpty() && value != Operand.Opaque.OPAQUE) {
        return new SelectFacts.HavingTerm.Compare(
            items.read(binary.getLeft()), binary.getLeft().toString(), operator, value);
      }
    }
    return new SelectFacts.HavingTerm.Opaque(items.read(expression).hasAggregates());
  }
}
