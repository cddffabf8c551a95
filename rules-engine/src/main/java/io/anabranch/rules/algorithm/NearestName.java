package io.anabranch.rules.algorithm;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a mistyped name was meant to be. */
public final class NearestName {

  private NearestName() {}

  /** {@code did you mean `x`?}, or the list of names if it is short, or null. */
  public static @Nullable String suggestion(String name, Collection<String> known) {
    String nearest = nearest(name, known);
    if (nearest != null) {
      return "did you mean `" + nearest + "`?";
    }
    if (known.isEmpty() || known.size() > 12) {
      return null;
    }
    return "there " + (known.size() == 1 ? "is `" : "are `") + String.join("`, `", known) + "`";
  }

  /** The one that {@code name} may well have been meant to be; null if none is near. */
  public static @Nullable String nearest(String name, Collection<String> known) {
    String best = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return least <= Math.max(2, name.length() / 3) ? best : null;
  }

  /** The first of many names, and how many more there are. */
  public static String shortened(Collection<?> names) {
    List<String> first = names.stream().limit(5).map(String::valueOf).toList();
    int more = names.size() - first.size();
    return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
  }

  /** Damerau-Levenshtein with adjacent swaps. */
  static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 16 || a.length() > 128) {
      return Integer.MAX_VALUE;
    }
    int[][] rows = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          rows[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(rows[i - 1][j], rows[i][j - 1]) + 1;
        best = Math.min(best, rows[i - 1][j - 1] + (same ? 0 : 1));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, rows[i - 2][j - 2] + 1);
        }
        rows[i][j] = best;
      }
    }
    return rows[a.length()][b.length()];
  }
}
