package io.anabranch.rules.expression;

import java.util.ArrayList;
import java.util.List;

/**
 * What stands between {@code ${} and {@code }}. Values are Integer, Long, BigInteger, BigDecimal,
 * String, Boolean and List, typed as Groovy types them.
 */
sealed interface Expression {

  /** Elements of a range or a list at most. */
  int MAX_ELEMENTS = 100_000;

  /**
   * @param variables by slot
   * @throws ExpressionException if the values do not suit the operators
   */
  Object evaluate(Object[] variables);

  record Literal(Object value) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return value;
    }
  }

  record Variable(int slot) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return variables[slot];
    }
  }

  record Arithmetic(char operator, Expression left, Expression right, int position)
      implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return Numbers.apply(operator, left.evaluate(variables), right.evaluate(variables), position);
    }
  }

  record Negation(Expression operand, int position) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return Numbers.negate(operand.evaluate(variables), position);
    }
  }

  record Not(Expression operand) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return !isTrue(operand.evaluate(variables));
    }
  }

  record Comparison(String operator, Expression left, Expression right, int position)
      implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      Object a = left.evaluate(variables);
      Object b = right.evaluate(variables);
      return switch (operator) {
        case "==" -> Numbers.areEqual(a, b);
        case "!=" -> !Numbers.areEqual(a, b);
        case "<" -> Numbers.compare(a, b, position) < 0;
        case "<=" -> Numbers.compare(a, b, position) <= 0;
        case ">" -> Numbers.compare(a, b, position) > 0;
        case ">=" -> Numbers.compare(a, b, position) >= 0;
        default -> throw new IllegalStateException(operator);
      };
    }
  }

  record Logic(boolean and, Expression left, Expression right) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      boolean first = isTrue(left.evaluate(variables));
      return first == and ? isTrue(right.evaluate(variables)) : first;
    }
  }

  record Conditional(Expression condition, Expression yes, Expression no) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return (isTrue(condition.evaluate(variables)) ? yes : no).evaluate(variables);
    }
  }

  /** {@code 0..3} and {@code 'a'..'c'}; counts down when the first end is the larger. */
  record Range(Expression from, Expression to, int position) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      Object first = from.evaluate(variables);
      Object last = to.evaluate(variables);
      boolean letters =
          first instanceof String a
              && last instanceof String b
              && a.length() == 1
              && b.length() == 1;
      long start = letters ? ((String) first).charAt(0) : Numbers.whole(first, position);
      long end = letters ? ((String) last).charAt(0) : Numbers.whole(last, position);
      // the difference of two longs may overflow: then it is surely too many
      long distance = end >= start ? end - start : start - end;
      if (distance < 0 || distance >= MAX_ELEMENTS) {
        throw new ExpressionException(
            position, "a range may have " + MAX_ELEMENTS + " elements at most");
      }
      List<Object> elements = new ArrayList<>();
      long step = end >= start ? 1 : -1;
      for (long i = 0, value = start; i <= distance; i++, value += step) {
        elements.add(letters ? String.valueOf((char) value) : Numbers.fitted(value));
      }
      return elements;
    }
  }

  record ListOf(List<Expression> elements) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      List<Object> values = new ArrayList<>();
      for (Expression element : elements) {
        values.add(element.evaluate(variables));
      }
      return values;
    }
  }

  /** {@code (int) x} and {@code (long) x}, {@code (String) x}. */
  record Cast(String type, Expression operand, int position) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return Methods.cast(type, operand.evaluate(variables), position);
    }
  }

  record Call(Expression receiver, String signature, List<Expression> arguments, int position)
      implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      Object target = receiver.evaluate(variables);
      Object[] values = new Object[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).evaluate(variables);
      }
      return Methods.call(target, signature, values, position);
    }
  }

  /** {@code Math.abs(x)}. */
  record StaticCall(String signature, List<Expression> arguments, int position)
      implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      Object[] values = new Object[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).evaluate(variables);
      }
      return Methods.callStatic(signature, values, position);
    }
  }

  /** {@code x[0]}, {@code x[-2..-1]}. */
  record Index(Expression receiver, Expression index, int position) implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      return Methods.index(receiver.evaluate(variables), index.evaluate(variables), position);
    }
  }

  /**
   * {@code list.collect { x -> body }}.
   *
   * @param slot of the closure's parameter
   */
  record Collect(Expression receiver, int slot, Expression body, int position)
      implements Expression {
    @Override
    public Object evaluate(Object[] variables) {
      if (!(receiver.evaluate(variables) instanceof List<?> list)) {
        throw new ExpressionException(position, "collect needs a list or a range");
      }
      Object[] inner = variables.clone();
      List<Object> values = new ArrayList<>();
      for (Object element : list) {
        inner[slot] = element;
        values.add(body.evaluate(inner));
      }
      return values;
    }
  }

  /** Groovy's truth. */
  static boolean isTrue(Object value) {
    return switch (value) {
      case Boolean flag -> flag;
      case Number number -> number.doubleValue() != 0;
      case String text -> !text.isEmpty();
      case List<?> list -> !list.isEmpty();
      default -> true;
    };
  }
}
