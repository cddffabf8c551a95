package io.anabranch.backend.lease;

/**
 * The value of a user variable that is NULL. It has the type of what it was before, or of the
 * expression that it was given, which the columns of answers show. As SQL text among {@link
 * SessionSettings}, and said in two steps: servers leave a variable its type where they are told
 * the word NULL, and not all of it where an expression is NULL.
 */
public final class TypedNull {

  private static final String HEAD = "IF(1,NULL,";

  private TypedNull() {}

  /**
   * @param example a literal of the type, of no NULL
   */
  public static String of(String example) {
    return HEAD + example + ")";
  }

  /** Whether a value of settings is such a one. */
  public static boolean is(String value) {
    return value.startsWith(HEAD);
  }

  /** The literal that gives a variable the type. */
  static String example(String value) {
    return value.substring(HEAD.length(), value.length() - 1);
  }
}
