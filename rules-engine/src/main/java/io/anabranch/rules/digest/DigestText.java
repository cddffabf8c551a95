package io.anabranch.rules.digest;

import io.anabranch.rules.lexer.Comments;
import io.anabranch.rules.lexer.ReservedWords;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A normal form as people read it: reserved words in capitals, one way of setting blanks, {@code ?}
 * for each literal. In a digest, lists of values are {@code (...)}, as MySQL's <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/performance-schema-statement-digests.html">DIGEST_TEXT</a>
 * has them: IN lists and rows of VALUES of any length are one digest.
 */
public final class DigestText {

  /** Characters that are kept. */
  public static final int LONGEST = 1024;

  private static final String VALUE = "?";
  private static final String CUT = "...";
  private static final Set<String> NAMED_VALUES = Set.of("NULL", "TRUE", "FALSE");
  private static final Set<String> LONG_OPERATORS =
      Set.of("<=>", "->>", "<=", ">=", "<>", "!=", ":=", "||", "&&", "<<", ">>", "->", "/*", "*/");

  /** Hexadecimal digits of a hash: twice as many. */
  private static final int HASH_BYTES = 16;

  private static final int HEX = 16;

  private final String form;
  private final boolean ansiQuotes;
  private final List<String> tokens = new ArrayList<>();

  private DigestText(byte[] normalForm, Charset charset, boolean ansiQuotes) {
    this.form = new String(normalForm, charset);
    this.ansiQuotes = ansiQuotes;
  }

  /**
   * The digest of a normal form.
   *
   * @param ansiQuotes whether double quotes are those of names
   */
  public static String digest(byte[] normalForm, Charset charset, boolean ansiQuotes) {
    return new DigestText(normalForm, charset, ansiQuotes).read().folded().text(LONGEST);
  }

  /** The same with lists as they are: a sample that shows no literal. */
  public static String sample(byte[] normalForm, Charset charset, boolean ansiQuotes) {
    return new DigestText(normalForm, charset, ansiQuotes).read().text(LONGEST);
  }

  /** The digest of all of a text, however long it is. */
  public static String whole(byte[] normalForm, Charset charset, boolean ansiQuotes) {
    return new DigestText(normalForm, charset, ansiQuotes).read().folded().text(Integer.MAX_VALUE);
  }

  /** 32 hexadecimal digits of a digest. */
  public static String hash(String digest) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(digest.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  private DigestText read() {
    int at = 0;
    while (at < form.length()) {
      char c = form.charAt(at);
      int end = end(at, c);
      if (c == Comments.HINT_MARK || c == ' ') {
        at = end;
        continue;
      }
      if (isValue(c) || isBinary(at, end)) {
        dropSign();
        tokens.add(VALUE);
      } else {
        tokens.add(word(form.substring(at, end)));
      }
      at = end;
    }
    return this;
  }

  /** What stands for a literal, and strings that the normal form keeps. */
  private boolean isValue(char c) {
    return (c < ' ' && c != Comments.HINT_MARK && c != '\n')
        || c == '\''
        || (c == '"' && !ansiQuotes);
  }

  /** {@code 0x70}, which the normal form keeps behind {@code _binary}. */
  private boolean isBinary(int at, int end) {
    if (end - at <= 2 || form.charAt(at) != '0') {
      return false;
    }
    char kind = form.charAt(at + 1);
    int radix = kind == 'x' ? HEX : 2;
    return (kind == 'x' || kind == 'b')
        && form.substring(at + 2, end)
            .chars()
            .allMatch(digit -> Character.digit(digit, radix) >= 0);
  }

  private int end(int at, char c) {
    if (c == Comments.HINT_MARK) {
      int closing = form.indexOf(Comments.HINT_MARK, at + 1);
      return closing < 0 ? form.length() : closing + 1;
    }
    if (c == '\'' || c == '"' || c == '`') {
      return closing(at, c);
    }
    if (isNamePart(c) || c == '@') {
      int end = at + 1;
      while (end < form.length() && (isNamePart(form.charAt(end)) || form.charAt(end) == '@')) {
        end++;
      }
      return end;
    }
    for (int length = 3; length > 1; length--) {
      if (at + length <= form.length()
          && LONG_OPERATORS.contains(form.substring(at, at + length))) {
        return at + length;
      }
    }
    return at + 1;
  }

  /** Behind the quote that closes; a cut text has none. */
  private int closing(int at, char quote) {
    int end = at + 1;
    while (end < form.length()) {
      char c = form.charAt(end);
      if (c == '\\' && quote != '`' && !(quote == '"' && ansiQuotes)) {
        end += 2;
      } else if (c != quote) {
        end++;
      } else if (end + 1 < form.length() && form.charAt(end + 1) == quote) {
        end += 2;
      } else {
        return end + 1;
      }
    }
    return form.length();
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c > 0x7f;
  }

  private String word(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (NAMED_VALUES.contains(upper)) {
      boolean isPredicate = isLast(0, "IS") || (isLast(0, "NOT") && isLast(1, "IS"));
      boolean isOfColumn = isLast(0, "NOT") || isLast(0, "DEFAULT") || isLast(0, ".");
      return isPredicate || isOfColumn ? upper : VALUE;
    }
    return !isLast(0, ".") && ReservedWords.mayHave(text) ? upper : text;
  }

  private boolean isLast(int back, String token) {
    int at = tokens.size() - 1 - back;
    return at >= 0 && tokens.get(at).equals(token);
  }

  /** A sign in front of a literal is a part of it, where nothing stands that it could add to. */
  private void dropSign() {
    if (!isLast(0, "-") && !isLast(0, "+")) {
      return;
    }
    String before = tokens.size() > 1 ? tokens.get(tokens.size() - 2) : "(";
    char first = before.charAt(0);
    boolean isOperand =
        before.equals(VALUE)
            || before.equals(")")
            || first == '`'
            || first == '"'
            || first == '@'
            || (isNamePart(first) && !ReservedWords.mayHave(before));
    if (!isOperand) {
      tokens.removeLast();
    }
  }

  /** Lists of values become {@code (...)}, lists of those one of them. */
  private DigestText folded() {
    var all = List.copyOf(tokens);
    tokens.clear();
    int at = 0;
    while (at < all.size()) {
      int end = listEnd(all, at);
      if (end < 0) {
        tokens.add(all.get(at++));
        continue;
      }
      at = end;
      boolean isNextRow = isLast(0, ",") && isLast(1, "(...)");
      if (isNextRow) {
        tokens.removeLast();
      } else {
        tokens.add("(...)");
      }
    }
    return this;
  }

  /**
   * Behind the parenthesis of a list of values that begins there; -1: there is none. Calls of
   * functions are none.
   */
  private static int listEnd(List<String> all, int at) {
    if (!all.get(at).equals("(") || at == 0 || isCall(all.get(at - 1))) {
      return -1;
    }
    for (int i = at + 1; i + 1 < all.size(); i += 2) {
      if (!all.get(i).equals(VALUE)) {
        return -1;
      }
      if (all.get(i + 1).equals(")")) {
        return i + 2;
      }
      if (!all.get(i + 1).equals(",")) {
        return -1;
      }
    }
    return -1;
  }

  private static boolean isCall(String before) {
    return isNamePart(before.charAt(0)) && !ReservedWords.mayHave(before);
  }

  private String text(int most) {
    var text = new StringBuilder();
    String before = "";
    for (String token : tokens) {
      if (!before.isEmpty() && isApart(before, token)) {
        text.append(' ');
      }
      text.append(token);
      if (text.length() > most) {
        text.setLength(most - CUT.length());
        return text.append(CUT).toString();
      }
      before = token;
    }
    return text.toString();
  }

  private static boolean isApart(String before, String token) {
    return switch (token) {
      case ",", ")", ".", ";" -> false;
      case "(" -> !before.equals("(") && !isCall(before);
      default -> !before.equals("(") && !before.equals(".");
    };
  }
}
