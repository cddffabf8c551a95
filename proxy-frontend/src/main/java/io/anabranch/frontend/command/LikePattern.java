package io.anabranch.frontend.command;

/** {@code LIKE} over names: {@code %}, {@code _} and the backslash, without regard to case. */
final class LikePattern {

  private LikePattern() {}

  static boolean matches(String text, String pattern) {
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
