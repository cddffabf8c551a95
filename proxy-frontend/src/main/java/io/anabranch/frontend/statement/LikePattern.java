package io.anabranch.frontend.statement;

/** {@code LIKE} over names: {@code %}, {@code _} and the backslash, without regard to case. */
public final class LikePattern {

  private LikePattern() {}

  /** Whether the whole of a text is what the pattern says. */
  public static boolean matches(String text, String pattern) {
    return matches(text, 0, pattern, 0);
  }

  private static boolean matches(String text, int from, String pattern, int at) {
    int t = from;
    int p = at;
    while (p < pattern.length()) {
      char c = pattern.charAt(p);
      if (c == '%') {
        for (int rest = t; rest <= text.length(); rest++) {
          if (matches(text, rest, pattern, p + 1)) {
            return true;
          }
        }
        return false;
      }
      boolean any = c == '_';
      if (c == '\\' && p + 1 < pattern.length()) {
        p++;
        c = pattern.charAt(p);
      }
      if (t == text.length()
          || (!any && Character.toLowerCase(text.charAt(t)) != Character.toLowerCase(c))) {
        return false;
      }
      t++;
      p++;
    }
    return t == text.length();
  }
}
