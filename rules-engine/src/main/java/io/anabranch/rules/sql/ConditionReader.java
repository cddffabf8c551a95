package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.SQLExprImpl;
import com.alibaba.druid.sql.ast.expr.SQLBetweenExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExprGroup;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOperator;
import com.alibaba.druid.sql.ast.expr.SQLBooleanExpr;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLInListExpr;
import com.alibaba.druid.sql.ast.expr.SQLListExpr;
import com.alibaba.druid.sql.ast.expr.SQLMethodInvokeExpr;
import com.alibaba.druid.sql.ast.expr.SQLNotExpr;
import com.alibaba.druid.sql.ast.expr.SQLNullExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.expr.SQLUnaryExpr;
import com.alibaba.druid.sql.ast.expr.SQLUnaryOperator;
import com.alibaba.druid.sql.ast.expr.SQLVariantRefExpr;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Druid's expression trees to {@link Condition}s; what it does not know becomes opaque. */
final class ConditionReader {

  private final MarkedText text;

  /** Whether {@code ||} or HIGH_NOT_PRECEDENCE could give the tree another meaning. */
  private final boolean orIsDoubtful;

  /** Of the join whose condition is read; null elsewhere. */
  private @Nullable BitSet operands;

  ConditionReader(MarkedText text, boolean orIsDoubtful) {
    this.text = text;
    this.orIsDoubtful = orIsDoubtful;
  }

  /**
   * The condition of a join.
   *
   * @param of positions of the tables that are joined: the only ones that ON knows
   */
  Condition on(SQLExpr expression, BitSet of) {
    operands = of;
    try {
      return read(expression);
    } finally {
      operands = null;
    }
  }

  Condition read(@Nullable SQLExpr expression) {
    return switch (expression) {
      case SQLBinaryOpExpr binary -> binary(binary);
      case SQLBinaryOpExprGroup group -> group(group);
      case SQLInListExpr in when !in.isNot() -> in(in);
      case SQLBetweenExpr between when !between.isNot() -> between(between);
      case SQLNotExpr not when isUnmistakable(not.getExpr()) -> negation(not.getExpr());
      case SQLUnaryExpr not
          when not.getOperator() == SQLUnaryOperator.Not && isUnmistakable(not.getExpr()) ->
          negation(not.getExpr());
      case null -> Condition.Opaque.OPAQUE;
      default -> truth(expression);
    };
  }

  /** {@code WHERE 0}. */
  private Condition truth(SQLExpr expression) {
    Operand value = operand(expression);
    return value == Operand.Opaque.OPAQUE ? Condition.Opaque.OPAQUE : new Condition.Truth(value);
  }

  /** Whether a NOT in front means the whole expression under any {@code sql_mode}. */
  private static boolean isUnmistakable(SQLExpr expression) {
    return expression instanceof SQLExprImpl plain && plain.isParenthesized();
  }

  /** What NOT demands: unknown stays unknown, so comparisons turn into their opposites. */
  private Condition negation(SQLExpr expression) {
    return switch (expression) {
      case SQLNotExpr not when isUnmistakable(not.getExpr()) -> read(not.getExpr());
      case SQLInListExpr in when in.isNot() -> in(in);
      case SQLBetweenExpr between when between.isNot() -> between(between);
      case SQLBinaryOpExpr binary -> negation(binary);
      default -> Condition.Opaque.OPAQUE;
    };
  }

  private Condition negation(SQLBinaryOpExpr binary) {
    return switch (binary.getOperator()) {
      case BooleanAnd -> new Condition.Or(negatedChain(binary, SQLBinaryOperator.BooleanAnd));
      case BooleanOr ->
          orIsDoubtful
              ? Condition.Opaque.OPAQUE
              : new Condition.And(negatedChain(binary, SQLBinaryOperator.BooleanOr));
      case NotEqual, LessThanOrGreater -> compare(binary, Condition.Operator.EQUAL);
      case LessThan -> compare(binary, Condition.Operator.GREATER_OR_EQUAL);
      case LessThanOrEqual -> compare(binary, Condition.Operator.GREATER);
      case GreaterThan -> compare(binary, Condition.Operator.LESS_OR_EQUAL);
      case GreaterThanOrEqual -> compare(binary, Condition.Operator.LESS);
      default -> Condition.Opaque.OPAQUE;
    };
  }

  private List<Condition> negatedChain(SQLBinaryOpExpr top, SQLBinaryOperator operator) {
    return expressions(top, operator).stream().map(this::negation).toList();
  }

  private Condition binary(SQLBinaryOpExpr binary) {
    return switch (binary.getOperator()) {
      case BooleanAnd -> new Condition.And(chain(binary, SQLBinaryOperator.BooleanAnd));
      case BooleanOr ->
          orIsDoubtful
              ? Condition.Opaque.OPAQUE
              : new Condition.Or(chain(binary, SQLBinaryOperator.BooleanOr));
      case Equality -> compare(binary, Condition.Operator.EQUAL);
      case LessThanOrEqualOrGreaterThan -> compare(binary, Condition.Operator.NULL_SAFE_EQUAL);
      case LessThan -> compare(binary, Condition.Operator.LESS);
      case LessThanOrEqual -> compare(binary, Condition.Operator.LESS_OR_EQUAL);
      case GreaterThan -> compare(binary, Condition.Operator.GREATER);
      case GreaterThanOrEqual -> compare(binary, Condition.Operator.GREATER_OR_EQUAL);
      default -> Condition.Opaque.OPAQUE;
    };
  }

  /** Flattens the left-leaning chain that parsers make of {@code a OR b OR c …}. */
  private List<Condition> chain(SQLBinaryOpExpr top, SQLBinaryOperator operator) {
    return expressions(top, operator).stream().map(this::read).toList();
  }

  private static List<SQLExpr> expressions(SQLBinaryOpExpr top, SQLBinaryOperator operator) {
    var reversed = new ArrayList<SQLExpr>();
    SQLExpr left = top;
    while (left instanceof SQLBinaryOpExpr binary && binary.getOperator() == operator) {
      reversed.add(binary.getRight());
      left = binary.getLeft();
    }
    reversed.add(left);
    return reversed.reversed();
  }

  private Condition group(SQLBinaryOpExprGroup group) {
    var parts = group.getItems().stream().map(this::read).toList();
    return switch (group.getOperator()) {
      case BooleanAnd -> new Condition.And(parts);
      case BooleanOr -> orIsDoubtful ? Condition.Opaque.OPAQUE : new Condition.Or(parts);
      default -> Condition.Opaque.OPAQUE;
    };
  }

  private Condition compare(SQLBinaryOpExpr binary, Condition.Operator operator) {
    SQLExpr left = binary.getLeft();
    SQLExpr right = binary.getRight();
    var leftRow = row(left);
    var rightRow = row(right);
    if (leftRow != null && rightRow != null) {
      return operator == Condition.Operator.EQUAL
          ? rowsEqual(leftRow, rightRow)
          : Condition.Opaque.OPAQUE;
    }
    return compare(left, operator, right);
  }

  private Condition compare(SQLExpr left, Condition.Operator operator, SQLExpr right) {
    var leftColumn = column(left);
    var rightColumn = column(right);
    if (leftColumn != null && rightColumn != null) {
      return operator == Condition.Operator.EQUAL
          ? new Condition.Equal(leftColumn, rightColumn)
          : Condition.Opaque.OPAQUE;
    }
    if (leftColumn != null) {
      return new Condition.Compare(leftColumn, operator, operand(right));
    }
    if (rightColumn != null) {
      return new Condition.Compare(rightColumn, operator.flipped(), operand(left));
    }
    if (operand(left) != Operand.Opaque.OPAQUE && operand(right) != Operand.Opaque.OPAQUE) {
      return new Condition.Fixed(operand(left), operator, operand(right));
    }
    return Condition.Opaque.OPAQUE;
  }

  private Condition rowsEqual(List<SQLExpr> left, List<SQLExpr> right) {
    if (left.size() != right.size()) {
      return Condition.Opaque.OPAQUE;
    }
    var parts = new ArrayList<Condition>();
    for (int i = 0; i < left.size(); i++) {
      parts.add(compare(left.get(i), Condition.Operator.EQUAL, right.get(i)));
    }
    return new Condition.And(parts);
  }

  private Condition in(SQLInListExpr in) {
    var row = row(in.getExpr());
    if (row != null) {
      var choices = new ArrayList<Condition>();
      for (SQLExpr target : in.getTargetList()) {
        var values = row(target);
        choices.add(values == null ? Condition.Opaque.OPAQUE : rowsEqual(row, values));
      }
      return new Condition.Or(choices);
    }
    var column = column(in.getExpr());
    return column == null
        ? Condition.Opaque.OPAQUE
        : new Condition.In(column, in.getTargetList().stream().map(this::operand).toList());
  }

  private Condition between(SQLBetweenExpr between) {
    var column = column(between.getTestExpr());
    return column == null
        ? Condition.Opaque.OPAQUE
        : new Condition.Between(
            column, operand(between.getBeginExpr()), operand(between.getEndExpr()));
  }

  private static @Nullable List<SQLExpr> row(SQLExpr expression) {
    return switch (expression) {
      case SQLListExpr list -> list.getItems();
      case SQLMethodInvokeExpr call when "ROW".equalsIgnoreCase(call.getMethodName()) ->
          call.getArguments();
      default -> null;
    };
  }

  /** The column that an expression is, or null. */
  @Nullable ColumnName column(SQLExpr expression) {
    return switch (expression) {
      case SQLIdentifierExpr name -> new ColumnName(null, text.name(name.getName()), operands);
      case SQLPropertyExpr property when property.getOwner() instanceof SQLIdentifierExpr owner ->
          new ColumnName(text.name(owner.getName()), text.name(property.getName()));
      case SQLPropertyExpr property when property.getOwner() instanceof SQLPropertyExpr owner ->
          new ColumnName(text.name(owner.getName()), text.name(property.getName()));
      default -> null;
    };
  }

  /**
   * @param function null: the parser has read a list behind what is no name
   */
  private static Operand typed(@Nullable String function, int slot) {
    return switch (function) {
      case null -> Operand.Opaque.OPAQUE;
      case MarkedText.TEMPORAL -> new Operand.Temporal(slot);
      case MarkedText.BITS -> new Operand.Bits(slot);
      default -> Operand.Opaque.OPAQUE;
    };
  }

  /** The constant that an expression is, or opaque. */
  Operand operand(SQLExpr expression) {
    return switch (expression) {
      case SQLVariantRefExpr variable when text.slot(variable.getName()) >= 0 ->
          new Operand.Slot(text.slot(variable.getName()), false);
      case SQLUnaryExpr unary
          when unary.getOperator() == SQLUnaryOperator.Negative
              && unary.getExpr() instanceof SQLVariantRefExpr variable
              && text.slot(variable.getName()) >= 0 ->
          new Operand.Slot(text.slot(variable.getName()), true);
      case SQLMethodInvokeExpr call
          when call.getArguments().size() == 1
              && call.getArguments().getFirst() instanceof SQLVariantRefExpr variable
              && text.slot(variable.getName()) >= 0 ->
          typed(call.getMethodName(), text.slot(variable.getName()));
      case SQLNullExpr ignored -> new Operand.Constant(SqlValue.Null.NULL);
      case SQLBooleanExpr bool ->
          new Operand.Constant(new SqlValue.Int(Boolean.TRUE.equals(bool.getValue()) ? 1 : 0));
      default -> Operand.Opaque.OPAQUE;
    };
  }
}
