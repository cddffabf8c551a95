package io.anabranch.protocol.parameter;

import io.anabranch.protocol.type.ColumnType;

/**
 * Kinds of types that MySQL tells apart when it asks whether a prepared statement can be executed
 * as it stands. Bytes, so that those of a statement are one small array.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/prepare.html">PREPARE</a>, on the types
 * of parameters.
 */
public final class ParameterKind {

  /** A value that is NULL; of a statement: not decided by an execution. */
  public static final byte NULL = 0;

  public static final byte SIGNED = 1;
  public static final byte UNSIGNED = 2;

  /** Of columns only: an integer of any sign. */
  public static final byte YEAR = 3;

  public static final byte DECIMAL = 4;
  public static final byte DOUBLE = 5;
  public static final byte DATE = 6;
  public static final byte TIME = 7;
  public static final byte DATETIME = 8;

  /** A string of a character set. */
  public static final byte TEXT = 9;

  /** A string of bytes. */
  public static final byte BYTES = 10;

  /** No server takes it of a client. */
  public static final byte OTHER = 11;

  /** Of columns only: an integer without a sign that strings are converted to in another way. */
  public static final byte BIT = 12;

  /** Of what is settled only: one of several, the server knows which. */
  public static final byte OPEN = 13;

  /** Of what is settled only: a former execution has left it {@link #OPEN}. */
  public static final byte LOST = 14;

  /** Of what is converted only: {@link #OPEN}, or a DATETIME. */
  static final byte WIDE = 15;

  private static final int UNSIGNED_PARAMETER = 0x8000;

  private ParameterKind() {}

  /**
   * @param type as a client sends it: a column type code, and the unsigned flag 0x8000
   */
  public static byte sent(int type) {
    return of(type, (type & UNSIGNED_PARAMETER) != 0, true);
  }

  /**
   * @param type code of the definition that COM_STMT_PREPARE is answered with
   * @param isText whether its character set is not binary
   */
  public static byte derived(int type, boolean isUnsigned, boolean isText) {
    return of(type, isUnsigned, isText);
  }

  private static byte of(int type, boolean isUnsigned, boolean isText) {
    return switch (ColumnType.of(type)) {
      case NULL -> NULL;
      case TINY, SHORT, LONG, LONGLONG, INT24, BOOL -> isUnsigned ? UNSIGNED : SIGNED;
      case BIT -> BIT;
      case YEAR -> YEAR;
      case DECIMAL, NEWDECIMAL -> DECIMAL;
      case FLOAT, DOUBLE -> DOUBLE;
      case DATE, NEWDATE -> DATE;
      case TIME, TIME2 -> TIME;
      case DATETIME, DATETIME2, TIMESTAMP, TIMESTAMP2 -> DATETIME;
      case VARCHAR, VAR_STRING, STRING, JSON, ENUM, SET -> isText ? TEXT : BYTES;
      case TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, GEOMETRY, VECTOR, TYPED_ARRAY -> BYTES;
      case INVALID -> OTHER;
    };
  }

  /**
   * What a server makes of a value for a marker of one kind, before it asks whether the marker
   * takes it: a string that is a number becomes one where a number is wanted, and both become times
   * where these are.
   *
   * @param resolved what the statement has the marker for
   */
  static byte converted(byte resolved, TypedParameters values, int parameter) {
    byte sent = values.kind(parameter);
    boolean isText = sent == TEXT || sent == BYTES;
    return switch (resolved) {
      case SIGNED -> isText ? ofInteger(values.number(parameter), resolved, sent) : sent;
      case UNSIGNED -> isText ? ofInteger(values.number(parameter), resolved, sent) : sent;
      case DECIMAL -> isText ? ofNumber(values.number(parameter), sent) : sent;
      case DOUBLE -> isText && values.number(parameter) != NumberText.NONE ? DOUBLE : sent;
      case DATE, TIME, DATETIME -> MomentKind.of(resolved, values, parameter);
      case OPEN, LOST -> LOST;
      default -> sent;
    };
  }

  private static byte ofInteger(NumberText number, byte wanted, byte sent) {
    boolean fits = wanted == SIGNED ? number.isSigned() : number.isUnsigned();
    return fits && number != NumberText.NONE ? wanted : ofNumber(number, sent);
  }

  private static byte ofNumber(NumberText number, byte sent) {
    return switch (number) {
      case NONE -> sent;
      case HUGE -> DOUBLE;
      case POSITIVE, MINUS_ZERO, LARGE, FRACTION, OUTSIDE -> DECIMAL;
    };
  }

  /** Whether only columns have that kind: no value is converted to it before the server asks. */
  static boolean isColumns(byte kind) {
    return kind == YEAR || kind == BIT;
  }

  static boolean isMoment(byte kind) {
    return kind == DATE || kind == TIME || kind == DATETIME;
  }

  /** Whether a marker takes a string or a number whatever that is converted to. */
  static boolean takesAnyway(byte resolved, byte sent) {
    boolean isWide = resolved == TIME || resolved == DATETIME;
    return switch (sent) {
      case SIGNED, UNSIGNED, DECIMAL, DOUBLE, TEXT, BYTES -> isWide;
      default -> false;
    };
  }

  /**
   * Whether a marker of one kind takes a value without the statement being prepared anew.
   *
   * @param resolved what the statement has it for
   * @param actual what {@link #converted} says of the value
   */
  static boolean takes(byte resolved, byte actual, TypedParameters values, int parameter) {
    if (resolved == OPEN || resolved == LOST) {
      return true;
    }
    return switch (actual) {
      case NULL -> true;
      case TEXT, BYTES -> !isColumns(resolved) || values.number(parameter).isYear();
      case SIGNED, UNSIGNED ->
          switch (resolved) {
            case SIGNED, UNSIGNED -> resolved == actual;
            case BIT -> actual == UNSIGNED;
            case YEAR, DECIMAL, DOUBLE, DATE, TIME, DATETIME -> true;
            default -> false;
          };
      case DECIMAL ->
          switch (resolved) {
            case DECIMAL, DOUBLE, DATE, TIME, DATETIME -> true;
            default -> false;
          };
      case DOUBLE ->
          switch (resolved) {
            case DOUBLE, DATE, TIME, DATETIME -> true;
            default -> false;
          };
      case DATE -> resolved == DATE || resolved == DATETIME;
      case TIME -> resolved == TIME || resolved == DATETIME;
      case DATETIME -> resolved == TIME || resolved == DATETIME;
      default -> true; // refused by the server before it asks
    };
  }
}
