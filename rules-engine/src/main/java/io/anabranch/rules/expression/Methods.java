package io.anabranch.rules.expression;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The complete list of what an expression may call. */
final class Methods {

  /** Longest string that padding makes. */
  private static final int MAX_WIDTH = 256;

  /** Names with the number of arguments. */
  private static final Set<String> ON_VALUES =
      Set.of(
          "intdiv/1",
          "mod/1",
          "abs/0",
          "toLong/0",
          "toInteger/0",
          "longValue/0",
          "intValue/0",
          "toString/0",
          "hashCode/0",
          "equals/1",
          "substring/1",
          "substring/2",
          "padLeft/1",
          "padLeft/2",
          "padRight/1",
          "padRight/2",
          "length/0",
          "size/0",
          "toLowerCase/0",
          "toUpperCase/0",
          "trim/0",
          "startsWith/1",
          "endsWith/1",
          "contains/1",
          "indexOf/1");

  private static final Set<String> STATIC =
      Set.of(
          "Math.abs/1",
          "Math.floorMod/2",
          "Math.min/2",
          "Math.max/2",
          "Long.parseLong/1",
          "Long.valueOf/1",
          "Integer.parseInt/1",
          "Integer.valueOf/1",
          "String.valueOf/1");

  private Methods() {}

  /**
   * @param signature {@code name/arguments} or {@code Type.name/arguments}
   */
  static boolean exists(String signature) {
    return ON_VALUES.contains(signature) || STATIC.contains(signature);
  }

  static boolean isStaticType(String name) {
    return name.equals("Math")
        || name.equals("Long")
        || name.equals("Integer")
        || name.equals("String");
  }

  /**
   * @param signature one that {@link #exists}
   */
  static Object call(Object target, String signature, Object[] arguments, int position) {
    return switch (signature) {
      case "toString/0" -> Numbers.text(target);
      case "hashCode/0" -> target.hashCode();
      case "toLong/0" -> toLong(target, position);
      case "toInteger/0" -> toInteger(target, position);
      case "equals/1" -> target.equals(arguments[0]);
      default ->
          switch (target) {
            case Number number -> onNumber(number, signature, arguments, position);
            case String text -> onText(text, signature, arguments, position);
            case List<?> list -> onList(list, signature, arguments, position);
            default -> throw wrong(target, signature, position);
          };
    };
  }

  private static Object onNumber(
      Number number, String signature, Object[] arguments, int position) {
    return switch (signature) {
      case "intdiv/1" -> Numbers.intdiv(number, arguments[0], position);
      case "mod/1" -> Numbers.apply('%', number, arguments[0], position);
      case "abs/0" -> abs(number, position);
      case "longValue/0" -> number.longValue();
      case "intValue/0" -> number.intValue();
      default -> throw wrong(number, signature, position);
    };
  }

  private static Object onText(String text, String signature, Object[] arguments, int position) {
    try {
      return switch (signature) {
        case "length/0", "size/0" -> text.length();
        case "toLowerCase/0" -> text.toLowerCase(Locale.ROOT);
        case "toUpperCase/0" -> text.toUpperCase(Locale.ROOT);
        case "trim/0" -> text.trim();
        case "substring/1" -> text.substring(index(arguments[0], position));
        case "substring/2" ->
            text.substring(index(arguments[0], position), index(arguments[1], position));
        case "padLeft/1" -> padding(text, arguments[0], " ", position) + text;
        case "padLeft/2" ->
            padding(text, arguments[0], Numbers.text(arguments[1]), position) + text;
        case "padRight/1" -> text + padding(text, arguments[0], " ", position);
        case "padRight/2" ->
            text + padding(text, arguments[0], Numbers.text(arguments[1]), position);
        case "startsWith/1" -> text.startsWith(Numbers.text(arguments[0]));
        case "endsWith/1" -> text.endsWith(Numbers.text(arguments[0]));
        case "contains/1" -> text.contains(Numbers.text(arguments[0]));
        case "indexOf/1" -> text.indexOf(Numbers.text(arguments[0]));
        default -> throw wrong(text, signature, position);
      };
    } catch (IndexOutOfBoundsException e) {
      throw new ExpressionException(
          position,
          name(signature) + " reaches beyond a string of " + text.length() + " characters");
    }
  }

  private static Object onList(List<?> list, String signature, Object[] arguments, int position) {
    return switch (signature) {
      case "size/0" -> list.size();
      case "contains/1" -> list.contains(arguments[0]);
      default -> throw wrong(list, signature, position);
    };
  }

  /**
   * @param signature one that {@link #exists}
   */
  static Object callStatic(String signature, Object[] arguments, int position) {
    Object first = arguments[0];
    return switch (signature) {
      case "Math.abs/1" -> abs(first, position);
      case "Long.parseLong/1", "Long.valueOf/1" -> toLong(first, position);
      case "Integer.parseInt/1", "Integer.valueOf/1" -> toInteger(first, position);
      case "String.valueOf/1" -> Numbers.text(first);
      case "Math.floorMod/2" -> floorMod(first, arguments[1], position);
      case "Math.min/2" ->
          Numbers.compare(first, arguments[1], position) <= 0 ? first : arguments[1];
      case "Math.max/2" ->
          Numbers.compare(first, arguments[1], position) >= 0 ? first : arguments[1];
      default -> throw new IllegalStateException(signature);
    };
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

  /** What is to be added so that {@code text} has {@code width} characters. */
  private static String padding(String text, Object width, String filler, int position) {
    int length = index(width, position);
    if (length > MAX_WIDTH || filler.isEmpty()) {
      throw new ExpressionException(
          position, "padding goes to " + MAX_WIDTH + " characters at most, with at least one");
    }
    int missing = length - text.length();
    return missing <= 0 ? "" : filler.repeat(missing / filler.length() + 1).substring(0, missing);
  }

  private static String name(String signature) {
    return signature.substring(0, signature.indexOf('/'));
  }

  private static ExpressionException wrong(Object target, String signature, int position) {
    boolean textMethod = signature.startsWith("pad") || signature.startsWith("substring");
    String hint = target instanceof Number && textMethod ? "; convert it with .toString()" : "";
    return new ExpressionException(
        position, name(signature) + " does not work on " + Numbers.typeOf(target) + hint);
  }
}
