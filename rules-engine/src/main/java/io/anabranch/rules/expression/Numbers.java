package io.anabranch.rules.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Operators with Groovy's number types: the wider operand decides, int and long wrap. */
final class Numbers {

  private Numbers() {}

  static Object apply(char operator, Object left, Object right, int position) {
    if (left instanceof Number a && right instanceof Number b) {
      try {
        return arithmetic(operator, a, b, position);
      } catch (ArithmeticException e) {
        throw new ExpressionException(position, "division by zero");
      }
    }
    if (operator == '+' && (left instanceof String || right instanceof String)) {
      return text(left) + text(right);
    }
    if (operator == '+' && left instanceof List<?> a && right instanceof List<?> b) {
      List<Object> joined = new ArrayList<>(a);
      joined.addAll(b);
      return joined;
    }
    throw new ExpressionException(
        position,
        "'"
            + operator
            + "' does not work on "
            + typeOf(left)
            + " and "
            + typeOf(right)
            + (left instanceof String ? "; convert it with .toLong()" : ""));
  }

  private static Number arithmetic(char operator, Number a, Number b, int position) {
    if (operator == '/') {
      return divide(decimal(a), decimal(b));
    }
    if (a instanceof Integer x && b instanceof Integer y) {
      return switch (operator) {
        case '+' -> x + y;
        case '-' -> x - y;
        case '*' -> x * y;
        default -> x % y;
      };
    }
    if (isLong(a) && isLong(b)) {
      long x = a.longValue();
      long y = b.longValue();
      return switch (operator) {
        case '+' -> x + y;
        case '-' -> x - y;
        case '*' -> x * y;
        default -> x % y;
      };
    }
    if (a instanceof BigDecimal || b instanceof BigDecimal) {
      return switch (operator) {
        case '+' -> decimal(a).add(decimal(b));
        case '-' -> decimal(a).subtract(decimal(b));
        case '*' -> decimal(a).multiply(decimal(b));
        default ->
            throw new ExpressionException(
                position, "'%' does not work on decimals; '/' gives a decimal, use .intdiv()");
      };
    }
    return switch (operator) {
      case '+' -> big(a).add(big(b));
      case '-' -> big(a).subtract(big(b));
      case '*' -> big(a).multiply(big(b));
      default -> big(a).remainder(big(b));
    };
  }

  /** Exact if that ends, otherwise with ten digits more than the operands have. */
  private static BigDecimal divide(BigDecimal a, BigDecimal b) {
    if (b.signum() == 0) {
      throw new ArithmeticException();
    }
    try {
      return a.divide(b);
    } catch (ArithmeticException endless) {
      int precision = Math.max(a.precision(), b.precision()) + 10;
      BigDecimal result = a.divide(b, new MathContext(precision));
      int scale = Math.max(Math.max(a.scale(), b.scale()), 10);
      return result.scale() > scale ? result.setScale(scale, RoundingMode.HALF_UP) : result;
    }
  }

  static Object intdiv(Object left, Object right, int position) {
    if (!(left instanceof Number a)
        || !(right instanceof Number b)
        || a instanceof BigDecimal
        || b instanceof BigDecimal) {
      throw new ExpressionException(
          position, "intdiv does not work on " + typeOf(left) + " and " + typeOf(right));
    }
    try {
      if (a instanceof Integer x && b instanceof Integer y) {
        return x / y;
      }
      if (isLong(a) && isLong(b)) {
        return a.longValue() / b.longValue();
      }
      return big(a).divide(big(b));
    } catch (ArithmeticException e) {
      throw new ExpressionException(position, "division by zero");
    }
  }

  static Object negate(Object value, int position) {
    return switch (value) {
      case Integer i -> -i;
      case Long l -> -l;
      case BigInteger b -> b.negate();
      case BigDecimal d -> d.negate();
      default -> throw new ExpressionException(position, "'-' does not work on " + typeOf(value));
    };
  }

  static boolean areEqual(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return decimal(x).compareTo(decimal(y)) == 0;
    }
    return a.equals(b);
  }

  static int compare(Object a, Object b, int position) {
    if (a instanceof Integer x && b instanceof Integer y) {
      return Integer.compare(x, y);
    }
    if (a instanceof Number x && b instanceof Number y) {
      return decimal(x).compareTo(decimal(y));
    }
    if (a instanceof String x && b instanceof String y) {
      return x.compareTo(y);
    }
    throw new ExpressionException(position, "cannot compare " + typeOf(a) + " with " + typeOf(b));
  }

  /** The value as a long, if it is an Integer or a Long. */
  static long whole(Object value, int position) {
    if (value instanceof Number number && isLong(number)) {
      return number.longValue();
    }
    throw new ExpressionException(position, "needs an integer, not " + typeOf(value));
  }

  /** As Groovy types an integer literal. */
  static Number fitted(long value) {
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }

  /** As a {@code ${}} part is printed. */
  static String text(Object value) {
    return value.toString();
  }

  static String typeOf(Object value) {
    return switch (value) {
      case String _ -> "a string";
      case BigDecimal _ -> "a decimal";
      case Number _ -> "an integer";
      case List<?> _ -> "a list";
      case Boolean _ -> "a truth value";
      default -> value.getClass().getSimpleName();
    };
  }

  private static boolean isLong(Number number) {
    return number instanceof Integer || number instanceof Long;
  }

  private static BigInteger big(Number number) {
    return number instanceof BigInteger b ? b : BigInteger.valueOf(number.longValue());
  }

  private static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal d -> d;
      case BigInteger b -> new BigDecimal(b);
      default -> BigDecimal.valueOf(number.longValue());
    };
  }
}
