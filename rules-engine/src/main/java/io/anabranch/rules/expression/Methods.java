package io.anabranch.rules.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The complete list of what an expression may call. */
final class Methods {

  /** Longest string that padding makes. */
  private static final int MAX_WIDTH = 256;

  private static final Set<String> ON_VALUES =
      Set.of(
          "intdiv",
          "mod",
          "abs",
          "toLong",
          "toInteger",
          "longValue",
          "intValue",
          "toString",
          "hashCode",
          "substring",
          "padLeft",
          "padRight",
          "length",
          "size",
          "toLowerCase",
          "toUpperCase",
          "trim",
          "startsWith",
          "endsWith",
          "contains",
          "equals",
          "indexOf");

  private static final Set<String> STATIC =
      Set.of(
          "Math.abs",
          "Math.floorMod",
          "Math.min",
          "Math.max",
          "Long.parseLong",
          "Long.valueOf",
          "Integer.parseInt",
          "Integer.valueOf",
          "String.valueOf");

  private Methods() {}

  static boolean exists(String method) {
    return ON_VALUES.contains(method);
  }

  static boolean existsStatic(String type, String method) {
    return STATIC.contains(type + "." + method);
  }

  static boolean isStaticType(String name) {
    return name.equals("Math")
        || name.equals("Long")
        || name.equals("Integer")
        || name.equals("String");
  }

  static Object call(Object target, String method, Object[] arguments, int position) {
    if (arguments.length == 0) {
      switch (method) {
        case "toString":
          return Numbers.text(target);
        case "hashCode":
          return target.hashCode();
        case "toLong":
          return toLong(target, position);
        case "toInteger":
          return toInteger(target, position);
        default:
          break;
      }
    }
    if (arguments.length == 1 && method.equals("equals")) {
      return target.equals(arguments[0]);
    }
    return switch (target) {
      case Number number -> onNumber(number, method, arguments, position);
      case String text -> onText(text, method, arguments, position);
      case List<?> list -> onList(list, method, arguments, position);
      default -> throw wrong(target, method, arguments, position);
    };
  }

  private static Object onNumber(Number number, String method, Object[] arguments, int position) {
    if (arguments.length == 1) {
      switch (method) {
        case "intdiv":
          return Numbers.intdiv(number, arguments[0], position);
        case "mod":
          return Numbers.apply('%', number, arguments[0], position);
        default:
          throw wrong(number, method, arguments, position);
      }
    }
    if (arguments.length > 1) {
      throw wrong(number, method, arguments, position);
    }
    return switch (method) {
      case "abs" -> abs(number, position);
      case "longValue" -> number.longValue();
      case "intValue" -> number.intValue();
      default -> throw wrong(number, method, arguments, position);
    };
  }

  private static Object onText(String text, String method, Object[] arguments, int position) {
    try {
      return switch (arguments.length) {
        case 0 ->
            switch (method) {
              case "length", "size" -> text.length();
              case "toLowerCase" -> text.toLowerCase(Locale.ROOT);
              case "toUpperCase" -> text.toUpperCase(Locale.ROOT);
              case "trim" -> text.trim();
              default -> throw wrong(text, method, arguments, position);
            };
        case 1 ->
            switch (method) {
              case "substring" -> text.substring(index(arguments[0], position));
              case "padLeft" -> pad(text, arguments[0], " ", true, position);
              case "padRight" -> pad(text, arguments[0], " ", false, position);
              case "startsWith" -> text.startsWith(Numbers.text(arguments[0]));
              case "endsWith" -> text.endsWith(Numbers.text(arguments[0]));
              case "contains" -> text.contains(Numbers.text(arguments[0]));
              case "indexOf" -> text.indexOf(Numbers.text(arguments[0]));
              default -> throw wrong(text, method, arguments, position);
            };
        case 2 ->
            switch (method) {
              case "substring" ->
                  text.substring(index(arguments[0], position), index(arguments[1], position));
              case "padLeft" -> pad(text, arguments[0], Numbers.text(arguments[1]), true, position);
              case "padRight" ->
                  pad(text, arguments[0], Numbers.text(arguments[1]), false, position);
              default -> throw wrong(text, method, arguments, position);
            };
        default -> throw wrong(text, method, arguments, position);
      };
    } catch (IndexOutOfBoundsException e) {
      throw new ExpressionException(
          position, method + " reaches beyond a string of " + text.length() + " characters");
    }
  }

  private static Object onList(List<?> list, String method, Object[] arguments, int position) {
    if (method.equals("size") && arguments.length == 0) {
      return list.size();
    }
    if (method.equals("contains") && arguments.length == 1) {
      return list.contains(arguments[0]);
    }
    throw wrong(list, method, arguments, position);
  }

  static Object callStatic(String type, String method, Object[] arguments, int position) {
    String name = type + "." + method;
    if (arguments.length == 1) {
      Object value = arguments[0];
      switch (name) {
        case "Math.abs":
          return abs(value, position);
        case "Long.parseLong", "Long.valueOf":
          return toLong(value, position);
        case "Integer.parseInt", "Integer.valueOf":
          return toInteger(value, position);
        case "String.valueOf":
          return Numbers.text(value);
        default:
          break;
      }
    }
    if (arguments.length == 2) {
      switch (name) {
        case "Math.floorMod":
          return floorMod(arguments[0], arguments[1], position);
        case "Math.min":
          return Numbers.compare(arguments[0], arguments[1], position) <= 0
              ? arguments[0]
              : arguments[1];
        case "Math.max":
          return Numbers.compare(arguments[0], arguments[1], position) >= 0
              ? arguments[0]
              : arguments[1];
        default:
          break;
      }
    }
    throw new ExpressionException(
        position, name + " does not take " + arguments.length + " arguments");
  }

  private static Object floorMod(Object left, Object right, int position) {
    long divisor = Numbers.whole(right, position);
    if (divisor == 0) {
      throw new ExpressionException(position, "division by zero");
    }
    return Numbers.fitted(Math.floorMod(Numbers.whole(left, position), divisor));
  }

  static Object cast(String type, Object value, int position) {
    if (type.equals("String")) {
      return Numbers.text(value);
    }
    if (!(value instanceof Number number)) {
      throw new ExpressionException(
          position, "cannot cast " + Numbers.typeOf(value) + " to " + type + "; use .toLong()");
    }
    if (type.equalsIgnoreCase("long")) {
      return number.longValue();
    }
    return number.intValue();
  }

  static Object index(Object target, Object index, int position) {
    int size =
        switch (target) {
          case String text -> text.length();
          case List<?> list -> list.size();
          default ->
              throw new ExpressionException(
                  position, "[] does not work on " + Numbers.typeOf(target));
        };
    if (index instanceof List<?> positions) {
      StringBuilder characters = new StringBuilder();
      if (!(target instanceof String text)) {
        throw new ExpressionException(position, "[..] works on strings only");
      }
      for (Object each : fromEnd(positions, size, position)) {
        characters.append(text.charAt(within(each, size, position)));
      }
      return characters.toString();
    }
    int at = within(index, size, position);
    return target instanceof String text ? String.valueOf(text.charAt(at)) : at(target, at);
  }

  private static Object at(Object list, int at) {
    return ((List<?>) list).get(at);
  }

  /** {@code [1..-2]}: a range whose ends have different signs counts the second from the end. */
  private static List<?> fromEnd(List<?> positions, int size, int position) {
    if (positions.isEmpty()) {
      return positions;
    }
    long first = Numbers.whole(positions.getFirst(), position);
    long last = Numbers.whole(positions.getLast(), position);
    if (first >= 0 == last >= 0) {
      return positions;
    }
    long start = first < 0 ? first + size : first;
    long end = last < 0 ? last + size : last;
    Expression from = new Expression.Literal(Numbers.fitted(start));
    Expression to = new Expression.Literal(Numbers.fitted(end));
    return (List<?>) new Expression.Range(from, to, position).evaluate(new Object[0]);
  }

  private static int within(Object index, int size, int position) {
    long at = Numbers.whole(index, position);
    long fromFront = at < 0 ? at + size : at;
    if (fromFront < 0 || fromFront >= size) {
      throw new ExpressionException(position, "index " + at + " is outside of " + size);
    }
    return (int) fromFront;
  }

  private static Object abs(Object value, int position) {
    return switch (value) {
      case Integer i -> Math.abs(i);
      case Long l -> Math.abs(l);
      case BigInteger b -> b.abs();
      default ->
          throw new ExpressionException(position, "abs does not work on " + Numbers.typeOf(value));
    };
  }

  private static Long toLong(Object value, int position) {
    if (value instanceof Number number) {
      return number.longValue();
    }
    try {
      return Long.valueOf(Numbers.text(value).trim());
    } catch (NumberFormatException e) {
      throw new ExpressionException(position, "not a number: '" + Numbers.text(value) + "'");
    }
  }

  private static Integer toInteger(Object value, int position) {
    if (value instanceof Number number) {
      return number.intValue();
    }
    try {
      return Integer.valueOf(Numbers.text(value).trim());
    } catch (NumberFormatException e) {
      throw new ExpressionException(position, "not an integer: '" + Numbers.text(value) + "'");
    }
  }

  private static int index(Object value, int position) {
    return Math.toIntExact(
        Math.clamp(Numbers.whole(value, position), Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static String pad(String text, Object width, String padding, boolean left, int position) {
    int length = index(width, position);
    if (length > MAX_WIDTH || padding.isEmpty()) {
      throw new ExpressionException(
          position, "padding goes to " + MAX_WIDTH + " characters at most, with at least one");
    }
    int missing = length - text.length();
    if (missing <= 0) {
      return text;
    }
    String fill = padding.repeat(missing / padding.length() + 1).substring(0, missing);
    return left ? fill + text : text + fill;
  }

  private static ExpressionException wrong(
      Object target, String method, Object[] arguments, int position) {
    String hint =
        target instanceof Number && (method.startsWith("pad") || method.equals("substring"))
            ? "; convert it with .toString()"
            : target instanceof BigDecimal ? "; '/' gives a decimal, use .intdiv()" : "";
    return new ExpressionException(
        position,
        method
            + " with "
            + arguments.length
            + " arguments does not work on "
            + Numbers.typeOf(target)
            + hint);
  }
}
