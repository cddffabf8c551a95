package io.anabranch.frontend.statement;

/** {@code LIKE} over names: {@code %}, {@code _} and the backslash, without regard to case. */
public final class LikePattern {

  private LikePattern() {}

  /**
   * Whether the whole of a text is what the pattern says. In steps no more than the product of
   * their lengths: behind the last {@code %} nothing before it is tried again.
   */
  public static boolean matches(String text, String pattern) {
    int t = 0;
    int p = 0;
    int behindAny = -1;
    int anyUntil = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '%') {
        p++;
        behindAny = p;
        anyUntil = t;
      } else if (p < pattern.length() && matchesOne(text.charAt(t), pattern, p)) {
        t++;
        p += isEscaped(pattern, p) ? 2 : 1;
      } else if (behindAny >= 0) {
        anyUntil++;
        t = anyUntil;
        p = behindAny;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '%') {
      p++;
    }
    return p == pattern.length();
  }

  private static boolean matchesOne(char c, String pattern, int at) {
    if (isEscaped(pattern, at)) {
      return isAlike(c, pattern.charAt(at + 1));
    }
    return pattern.charAt(at) == '_' || isAlike(c, pattern.charAt(at));
  }

  private static boolean isEscaped(String pattern, int at) {
    return pattern.charAt(at) == '\\' && at + 1 < pattern.length();
  }

  private static boolean isAlike(char one, char other) {
    return Character.toLowerCase(one) == Character.toLowerCase(other);
  }
}
