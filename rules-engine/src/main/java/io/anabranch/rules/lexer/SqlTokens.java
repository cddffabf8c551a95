package io.anabranch.rules.lexer;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one statement, without blanks and plain comments. Thread-safe, never changes.
 * Offsets are characters of {@link SourceText#text()}.
 */
public final class SqlTokens {

  private static final int NONE = -1;

  private static final Set<String> COMPARISONS =
      Set.of("=", "<=>", "<>", "!=", "<", ">", "<=", ">=");

  private final String text;
  private final TokenKind[] kinds;
  private final int[] starts;
  private final int[] ends;
  private final int[] slots;
  private final int[] depths;
  private final int[] closings;
  private final int[] arounds;
  private final int[] parameters;

  /** By token: the first name from it on, {@link #size()} where none is left. */
  private final int[] nextNames;

  private final int count;

  /** Words that are names by their place, and keywords elsewhere. */
  private final BitSet plain = new BitSet();

  /** All names without regard to case; null: nobody has asked. */
  private volatile @Nullable Set<String> mentioned;

  /** As names are written, by lower-case name; null: nobody has asked. */
  private volatile @Nullable Map<String, Set<String>> spellings;

  SqlTokens(String text, TokenKind[] kinds, int[] starts, int[] ends, int[] slots, int count) {
    this.text = text;
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
    this.slots = slots;
    this.count = count;
    this.depths = new int[count];
    this.closings = new int[count];
    this.arounds = new int[count];
    this.parameters = parameters(kinds, slots, count);
    this.nextNames = new int[count];
    int depth = 0;
    int open = NONE;
    for (int i = 0; i < count; i++) {
      if (isPunctuation(i, ')')) {
        depth--;
        if (open != NONE) {
          // until it is closed, a parenthesis holds the one around it
          int around = closings[open];
          closings[open] = i;
          open = around;
        }
      }
      depths[i] = depth;
      arounds[i] = open;
      if (isPunctuation(i, '(')) {
        depth++;
        closings[i] = open;
        open = i;
      }
    }
    while (open != NONE) {
      int around = closings[open];
      closings[open] = count;
      open = around;
    }
    int next = count;
    for (int i = count - 1; i >= 0; i--) {
      next = isName(i) ? i : next;
      nextNames[i] = next;
    }
    for (int i = 0; i < count; i++) {
      plain.set(i, ReservedWords.isName(this, i));
    }
  }

  /** By slot: how many parameter markers are in front. */
  private static int[] parameters(TokenKind[] kinds, int[] slots, int count) {
    int[] indexes = {};
    int parameters = 0;
    for (int i = 0; i < count; i++) {
      if (kinds[i] == TokenKind.MARKER) {
        if (slots[i] >= indexes.length) {
          int known = indexes.length;
          indexes = Arrays.copyOf(indexes, 2 * slots[i] + 2);
          Arrays.fill(indexes, known, indexes.length, NONE);
        }
        indexes[slots[i]] = parameters++;
      }
    }
    return indexes;
  }

  /** Tokens of text that no client sent: the default {@code sql_mode}, any characters. */
  public static SqlTokens of(String text) {
    return SourceText.of(text, LexerMode.DEFAULT).tokens();
  }

  /**
   * Whether it would grow together with a bare name beside it.
   *
   * @param unit of a text: byte or character
   */
  public static boolean isNamePart(int unit) {
    return unit < 0 || unit > 0x7F || unit == '_' || unit == '$' || Character.isLetterOrDigit(unit);
  }

  /** The same without optimizer hints, which servers take for comments in most places. */
  public SqlTokens withoutHints() {
    return without(token -> kinds[token] == TokenKind.OPTIMIZER_HINT);
  }

  /**
   * The same, numbered anew, without hints and the marks of comments: what stands in those may run.
   */
  public SqlTokens withoutMarks() {
    return without(token -> kinds[token].isMark());
  }

  /** The same, numbered anew, without some tokens. */
  public SqlTokens without(IntPredicate left) {
    if (!all().has(left)) {
      return this;
    }
    var keptKinds = new TokenKind[count];
    var keptStarts = new int[count];
    var keptEnds = new int[count];
    var keptSlots = new int[count];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (!left.test(i)) {
        keptKinds[kept] = kinds[i];
        keptStarts[kept] = starts[i];
        keptEnds[kept] = ends[i];
        keptSlots[kept] = slots[i];
        kept++;
      }
    }
    return new SqlTokens(text, keptKinds, keptStarts, keptEnds, keptSlots, kept);
  }

  public int size() {
    return count;
  }

  public TokenKind kind(int token) {
    return is(token) ? kinds[token] : TokenKind.NONE;
  }

  /** Whether there is such a token: readers may look behind the last one, and before the first. */
  private boolean is(int token) {
    return token >= 0 && token < count;
  }

  /** Behind the last token: where the text ends. */
  public int start(int token) {
    return token < count ? starts[token] : text.length();
  }

  /** Exclusive; behind the last token: where the text ends. */
  public int end(int token) {
    return token < count ? ends[token] : text.length();
  }

  /** The last token that starts at the offset or before; -1: none does. */
  int lastStartingBy(int offset) {
    int found = Arrays.binarySearch(starts, 0, count, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** Whether something stands between it and the token in front: blanks, or a comment. */
  public boolean isApart(int token) {
    return token > 0 && start(token) > end(token - 1);
  }

  /** How many parentheses are open around the token; a parenthesis itself is outside of them. */
  public int depth(int token) {
    return is(token) ? depths[token] : 0;
  }

  /** The innermost parenthesis that is open at the token; -1: none is. */
  public int around(int token) {
    return is(token) ? arounds[token] : NONE;
  }

  /** Number of the slot, or -1. */
  public int slot(int token) {
    return is(token) ? slots[token] : NONE;
  }

  /** How many parameter markers stand in front of this one; -1 if it is none. */
  public int parameter(int token) {
    return is(token) && kinds[token] == TokenKind.MARKER ? parameters[slots[token]] : NONE;
  }

  /** The same of a slot; -1 if it is a literal, or none of the text's. */
  public int parameterOf(int slot) {
    return slot < parameters.length ? parameters[slot] : NONE;
  }

  /** The first token behind the statement's first word and the optimizer hints that follow it. */
  public int behindVerb() {
    int token = 1;
    while (is(token) && kinds[token] == TokenKind.OPTIMIZER_HINT) {
      token++;
    }
    return token;
  }

  /** The token behind the last one that is no semicolon. */
  public int behindStatement() {
    return all().findLast(token -> !isPunctuation(token, ';')) + 1;
  }

  /** The token's text, quotes included; empty where there is no token. */
  public String text(int token) {
    return is(token) ? text.substring(starts[token], ends[token]) : "";
  }

  /** The whole number that the token is, or the largest there is; -1: it is none. */
  public long wholeNumber(int token) {
    long value = is(token) && starts[token] < ends[token] ? 0 : -1;
    for (int i = start(token); value >= 0 && i < end(token); i++) {
      int digit = text.charAt(i) - '0';
      boolean fits = value <= (Long.MAX_VALUE - 9) / 10;
      value = digit < 0 || digit > 9 ? -1 : fits ? 10 * value + digit : Long.MAX_VALUE;
    }
    return value;
  }

  /** The unquoted word in upper case; empty for other tokens, and for a {@link #isPlainName}. */
  public String word(int token) {
    return isKeyword(token) ? text(token).toUpperCase(Locale.ROOT) : "";
  }

  private boolean isKeyword(int token) {
    return is(token) && kinds[token] == TokenKind.WORD && !plain.get(token);
  }

  /**
   * Whether an unquoted word that some servers reserve can only be a name in its place: {@code
   * offset} in {@code WHERE offset > 3}.
   */
  public boolean isPlainName(int token) {
    return is(token) && plain.get(token);
  }

  /** Whether the token is an unquoted word, compared without regard to case. */
  public boolean isWord(int token, String word) {
    return isKeyword(token)
        && ends[token] - starts[token] == word.length()
        && text.regionMatches(true, starts[token], word, 0, word.length());
  }

  /** Whether the token is one of these words, without quotes and in any case. */
  public boolean isAnyWord(int token, String... words) {
    for (String word : words) {
      if (isWord(token, word)) {
        return true;
      }
    }
    return false;
  }

  public boolean isPunctuation(int token, char c) {
    return is(token) && kinds[token] == TokenKind.PUNCTUATION && text.charAt(starts[token]) == c;
  }

  public boolean isOperator(int token, String operator) {
    return is(token)
        && kinds[token] == TokenKind.OPERATOR
        && text.regionMatches(starts[token], operator, 0, operator.length())
        && ends[token] - starts[token] == operator.length();
  }

  /** Whether the token compares what stands before it with what stands behind it. */
  public boolean isComparison(int token) {
    return is(token) && kinds[token] == TokenKind.OPERATOR && COMPARISONS.contains(text(token));
  }

  /** Whether the token can be a name: an unquoted word or a quoted identifier. */
  public boolean isName(int token) {
    return is(token) && (kinds[token] == TokenKind.WORD || kinds[token] == TokenKind.QUOTED);
  }

  /** The first name of the tokens {@code [token, behind)}; {@code behind}: there is none. */
  int nextName(int token, int behind) {
    int next = token < count ? nextNames[Math.max(token, 0)] : count;
    return next < count ? Math.min(next, behind) : behind;
  }

  /** The identifier without quotes, doubled quotes undone; empty where there is no token. */
  public String name(int token) {
    return is(token) && kinds[token] == TokenKind.QUOTED ? unquote(text(token)) : text(token);
  }

  /** The identifier without quotes, in lower case; empty where the token can be no name. */
  public String lowerName(int token) {
    return isName(token) ? name(token).toLowerCase(Locale.ROOT) : "";
  }

  /** The first token of the qualified name, as {@code a.b.c}, that ends at {@code last}. */
  public int firstOfName(int last) {
    int first = last;
    while (isPunctuation(first - 1, '.') && isName(first - 2)) {
      first -= 2;
    }
    return first;
  }

  /** The last token of the qualified name that begins at {@code first}. */
  public int lastOfName(int first) {
    int last = first;
    while (isPunctuation(last + 1, '.') && isName(last + 2)) {
      last += 2;
    }
    return last;
  }

  /** All names that stand somewhere, in lower case. */
  public Set<String> names() {
    return spellings().keySet();
  }

  /** How each name is written, by the name in lower case. Tokens are gone through once. */
  public Map<String, Set<String>> spellings() {
    Map<String, Set<String>> found = spellings;
    if (found == null) {
      var each = new HashMap<String, Set<String>>();
      for (int token : all().names()) {
        String name = name(token);
        each.merge(name.toLowerCase(Locale.ROOT), Set.of(name), SqlTokens::union);
      }
      found = Collections.unmodifiableMap(each);
      spellings = found;
    }
    return found;
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    if (some.containsAll(others)) {
      return some;
    }
    var all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  /** Those of the tokens {@code [from, to)}. */
  public Set<String> names(int from, int to) {
    var names = new HashSet<String>();
    for (int token : between(from, to).names()) {
      names.add(name(token).toLowerCase(Locale.ROOT));
    }
    return names;
  }

  /**
   * Whether some token is this name, without regard to case. Many may be asked for: tokens are gone
   * through once.
   */
  public boolean mention(String name) {
    Set<String> names = mentioned;
    if (names == null) {
      names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
      for (int token : all().names()) {
        names.add(name(token));
      }
      mentioned = names;
    }
    return names.contains(name);
  }

  /** The last token in front of this one that opens no parenthesis; -1: there is none. */
  public int beforeOpenings(int token) {
    return between(0, token).findLast(each -> !isPunctuation(each, '('));
  }

  /**
   * What stands in front of an item of ORDER BY or GROUP BY that begins with a value, which servers
   * may take for the position of a column: {@code 2}, {@code (2)}, {@code +2}, {@code ?}, {@code
   * TRUE}. BY, or a comma, which may be one of other lists, too.
   *
   * @return -1: no such value is at the token
   */
  public int beforePosition(int token) {
    if (slot(token) < 0 && !isAnyWord(token, "TRUE", "FALSE")) {
      return -1;
    }
    int before =
        between(0, token).findLast(each -> !isPunctuation(each, '(') && !isOperator(each, "+"));
    return isWord(before, "BY") || isPunctuation(before, ',') ? before : -1;
  }

  /** The whole statement, to be searched. */
  public TokenRange all() {
    return between(0, count);
  }

  /** The statement from a token on. */
  public TokenRange from(int first) {
    return between(first, count);
  }

  /** A part of the statement. */
  public TokenRange in(Span span) {
    return between(span.first(), span.behind());
  }

  /** The tokens {@code [first, behind)}. */
  public TokenRange between(int first, int behind) {
    return new TokenRange(this, first, behind);
  }

  /** Index of the parenthesis that closes the one at {@code open}; {@link #size()} if none does. */
  public int closing(int open) {
    if (isPunctuation(open, '(')) {
      return closings[open];
    }
    int depth = depths[open];
    for (int i = open + 1; i < count; i++) {
      if (depths[i] <= depth && isPunctuation(i, ')')) {
        return i;
      }
    }
    return count;
  }

  /** The first token that starts at or behind {@code offset}. */
  public int at(int offset) {
    int found = Arrays.binarySearch(starts, 0, count, offset);
    return found >= 0 ? found : -found - 1;
  }

  private static String unquote(String quoted) {
    char quote = quoted.charAt(0);
    int last = quoted.length() - 1;
    boolean closed = last > 0 && quoted.charAt(last) == quote;
    String inner = quoted.substring(1, closed ? last : last + 1);
    String one = String.valueOf(quote);
    return inner.replace(one + one, one);
  }
}
