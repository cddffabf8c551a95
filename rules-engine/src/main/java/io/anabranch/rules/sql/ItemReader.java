package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.expr.SQLAggregateExpr;
import com.alibaba.druid.sql.ast.expr.SQLAllColumnExpr;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLMethodInvokeExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.dialect.mysql.visitor.MySqlASTVisitorAdapter;
import io.anabranch.rules.function.SqlFunctions;
import java.util.Locale;

/** What kind of item stands in a select list, GROUP BY, ORDER BY or HAVING. */
final class ItemReader {

  private final MarkedText text;
  private final ConditionReader conditions;

  ItemReader(MarkedText text, ConditionReader conditions) {
    this.text = text;
    this.conditions = conditions;
  }

  SelectItem read(SQLExpr expression) {
    if (expression instanceof SQLAllColumnExpr) {
      return new SelectItem.Star(null);
    }
    if (expression instanceof SQLPropertyExpr property && "*".equals(property.getName())) {
      return new SelectItem.Star(
          property.getOwner() instanceof SQLIdentifierExpr owner
              ? text.name(owner.getName())
              : null);
    }
    ColumnName column = conditions.column(expression);
    if (column != null) {
      return new SelectItem.Column(column);
    }
    if (conditions.operand(expression) != Operand.Opaque.OPAQUE) {
      return new SelectItem.Literal(conditions.operand(expression));
    }
    if (expression instanceof SQLMethodInvokeExpr call
        && isAggregate(call)
        && !isWindowed(call)
        && isPlain(call)) {
      var inner = new Look();
      call.getArguments().forEach(argument -> argument.accept(inner));
      boolean star =
          call.getArguments().size() == 1
              && call.getArguments().getFirst() instanceof SQLAllColumnExpr;
      if (!inner.subquery && !inner.aggregates) {
        return new SelectItem.Aggregate(
            call.getMethodName().toUpperCase(Locale.ROOT),
            call instanceof SQLAggregateExpr aggregate && aggregate.isDistinct(),
            star ? 0 : call.getArguments().size());
      }
    }
    var look = new Look();
    expression.accept(look);
    return new SelectItem.Expression(look.aggregates, look.subquery);
  }

  /** No ORDER BY, SEPARATOR, FILTER or other ornament inside the call. */
  private static boolean isPlain(SQLMethodInvokeExpr call) {
    return !(call instanceof SQLAggregateExpr aggregate)
        || (aggregate.getOrderBy() == null
            && aggregate.getFilter() == null
            && aggregate.getKeep() == null);
  }

  static boolean isAggregate(SQLMethodInvokeExpr call) {
    String name = call.getMethodName();
    return call instanceof SQLAggregateExpr || (name != null && SqlFunctions.isAggregate(name));
  }

  static boolean isWindowed(SQLMethodInvokeExpr call) {
    return call instanceof SQLAggregateExpr aggregate
        && (aggregate.getOver() != null || aggregate.getOverRef() != null);
  }

  /** Looks into an expression, not into its subqueries. */
  private static final class Look extends MySqlASTVisitorAdapter {
    private boolean aggregates;
    private boolean subquery;

    @Override
    public boolean visit(SQLAggregateExpr call) {
      aggregates = true;
      return true;
    }

    @Override
    public boolean visit(SQLMethodInvokeExpr call) {
      aggregates |= isAggregate(call);
      return true;
    }

    @Override
    public boolean visit(SQLSelect select) {
      subquery = true;
      return false;
    }
  }
}
