package io.anabranch.rules.lexer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tokens {@code [first, behind)} of a statement with the questions that are asked of such a part:
 * {@code tokens.from(1).hasWord("SELECT")}. Tokens are named by their number in the statement.
 *
 * <p>The <em>level</em> of a range is that of its first token: what stands in parentheses that are
 * opened within is not on it.
 */
public record TokenRange(SqlTokens tokens, int first, int behind) {

  private static final int NONE = -1;

  public boolean isEmpty() {
    return first >= behind;
  }

  /** The first token that is so; -1: none is. */
  public int find(IntPredicate is) {
    for (int token = first; token < behind; token++) {
      if (is.test(token)) {
        return token;
      }
    }
    return NONE;
  }

  /** What is told of the first token of which something is; null: nothing is of any. */
  public <T> @Nullable T search(IntFunction<@Nullable T> of) {
    for (int token = first; token < behind; token++) {
      T found = of.apply(token);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The last token that is so; -1: none is. */
  public int findLast(IntPredicate is) {
    for (int token = behind - 1; token >= first; token--) {
      if (is.test(token)) {
        return token;
      }
    }
    return NONE;
  }

  /** Whether a token is so. */
  public boolean has(IntPredicate is) {
    return find(is) >= 0;
  }

  /** Whether all tokens are so; of none, they are. */
  public boolean consistsOf(IntPredicate is) {
    return find(is.negate()) < 0;
  }

  /** How many tokens are so. */
  public int count(IntPredicate is) {
    int count = 0;
    for (int token = first; token < behind; token++) {
      count += is.test(token) ? 1 : 0;
    }
    return count;
  }

  /** The tokens that are so, in their order. */
  public List<Integer> where(IntPredicate is) {
    var found = new ArrayList<Integer>();
    for (int token = first; token < behind; token++) {
      if (is.test(token)) {
        found.add(token);
      }
    }
    return found;
  }

  /** The names in it, quoted or not: all words, those of the grammar, too. */
  public List<Integer> names() {
    return names(_ -> true);
  }

  /**
   * The names that are so, in their order. Other tokens are passed over, however many there are.
   */
  public List<Integer> names(IntPredicate are) {
    var found = new ArrayList<Integer>();
    for (int token = nextName(first); token < behind; token = nextName(token + 1)) {
      if (are.test(token)) {
        found.add(token);
      }
    }
    return found;
  }

  private int nextName(int token) {
    return tokens.nextName(token, behind);
  }

  /** These words, without quotes and in any case. */
  public List<Integer> words(String... words) {
    return names(token -> tokens.isAnyWord(token, words));
  }

  /** The first name that is so; -1: none is. Other tokens are passed over. */
  public int findName(IntPredicate is) {
    for (int token = nextName(first); token < behind; token = nextName(token + 1)) {
      if (is.test(token)) {
        return token;
      }
    }
    return NONE;
  }

  /** Whether a name is so. */
  public boolean hasName(IntPredicate is) {
    return findName(is) >= 0;
  }

  /** The first token that is one of these words, without quotes and in any case; -1: none is. */
  public int findWord(String... words) {
    return findName(token -> tokens.isAnyWord(token, words));
  }

  /** Whether one of these words stands in it, without quotes and in any case. */
  public boolean hasWord(String... words) {
    return findWord(words) >= 0;
  }

  /** Whether a token is of the kind. */
  public boolean hasKind(TokenKind kind) {
    return has(token -> tokens.kind(token) == kind);
  }

  /** Whether a name stands in it, quoted or not and in any case. */
  public boolean hasName(String name) {
    return hasName(token -> tokens.name(token).equalsIgnoreCase(name));
  }

  /**
   * The first name that is one of these; -1: none is.
   *
   * @param names in lower case
   */
  public int findName(Set<String> names) {
    return findName(token -> names.contains(tokens.lowerName(token)));
  }

  /**
   * The first token on this level that is one of these reserved words, and no name behind a point;
   * -1: none is.
   */
  public int findClause(String... words) {
    return findClause(tokens.depth(first), words);
  }

  /** The same on another level, as {@link SqlTokens#depth} tells it: 0 is the statement's own. */
  public int findClause(int level, String... words) {
    for (int token = first; token < behind; token = next(token, level)) {
      boolean isOwn = tokens.depth(token) == level && !tokens.isPunctuation(token - 1, '.');
      if (isOwn && tokens.isAnyWord(token, words)) {
        return token;
      }
    }
    return NONE;
  }

  /** The token to look at next: what stands in parentheses is not on the level around them. */
  private int next(int token, int level) {
    boolean opens = tokens.isPunctuation(token, '(') && tokens.depth(token) >= level;
    return opens ? Math.min(tokens.closing(token), behind) : token + 1;
  }

  /** Hands out each token, in their order. */
  public void forEach(IntConsumer to) {
    for (int token = first; token < behind; token++) {
      to.accept(token);
    }
  }

  /**
   * Goes through it by steps, of which each tells where the next one begins.
   *
   * @param step from a token to one behind it
   * @return where the last step has ended: {@code behind}, or a token behind that
   */
  public int walk(IntUnaryOperator step) {
    int token = first;
    while (token < behind) {
      token = step.applyAsInt(token);
    }
    return token;
  }

  /** The first token that is not so; {@code behind}: all are. */
  public int skip(IntPredicate is) {
    int other = find(is.negate());
    return other < 0 ? Math.max(first, behind) : other;
  }

  /**
   * The first token that is so on a level, or that is outside of it; {@code behind}: none is.
   *
   * @param level as {@link SqlTokens#depth} tells it
   */
  public int until(int level, IntPredicate is) {
    for (int token = first; token < behind; token = next(token, level)) {
      if (tokens.depth(token) < level || (tokens.depth(token) == level && is.test(token))) {
        return token;
      }
    }
    return Math.max(first, behind);
  }

  /** All tokens but those in parentheses that are so, and what closes these. */
  public List<Integer> outside(IntPredicate opens) {
    var found = new ArrayList<Integer>();
    for (int token = first; token < behind; token++) {
      found.add(token);
      if (tokens.isPunctuation(token, '(') && opens.test(token)) {
        token = tokens.closing(token);
      }
    }
    return found;
  }

  /** The first token that is none of these words; {@code behind}: all are. */
  public int skipWords(String... words) {
    return skip(token -> tokens.isAnyWord(token, words));
  }

  /** Names in front of a parenthesis: functions that are called, and what looks like it. */
  public List<Integer> calls() {
    return names(token -> tokens.isPunctuation(token + 1, '('));
  }

  /** Where qualified names begin: {@code a} of {@code a.b.c} and of {@code a.*}. */
  public List<Integer> qualifiers() {
    return names(
        token -> tokens.isPunctuation(token + 1, '.') && !tokens.isPunctuation(token - 1, '.'));
  }

  /** Literals and parameter markers. */
  public List<Integer> slots() {
    return where(token -> tokens.slot(token) >= 0);
  }

  /** What commas on this level separate. None is empty. */
  public List<Span> parts() {
    return parts(token -> tokens.isPunctuation(token, ','));
  }

  /** What such tokens on this level separate. None is empty. */
  public List<Span> parts(IntPredicate separates) {
    var parts = new ArrayList<Span>();
    int level = tokens.depth(first);
    int begin = first;
    for (int token = first; token < behind; token = next(token, level)) {
      if (tokens.depth(token) == level && separates.test(token)) {
        if (begin < token) {
          parts.add(new Span(begin, token));
        }
        begin = token + 1;
      }
    }
    if (begin < behind) {
      parts.add(new Span(begin, behind));
    }
    return parts;
  }

  /** The same without the pairs of parentheses around all of it. */
  public TokenRange unwrapped() {
    int open = first;
    int close = behind;
    while (tokens.isPunctuation(open, '(') && tokens.closing(open) == close - 1) {
      open++;
      close--;
    }
    return new TokenRange(tokens, open, close);
  }

  /** With the pairs of parentheses that stand directly around it. */
  public TokenRange wrapped() {
    int open = first;
    int close = behind;
    while (tokens.isPunctuation(open - 1, '(') && tokens.isPunctuation(close, ')')) {
      open--;
      close++;
    }
    return new TokenRange(tokens, open, close);
  }

  /** Its text, with one blank wherever two tokens do not touch. */
  public String text() {
    var text = new StringBuilder();
    for (int token = first; token < behind; token++) {
      text.append(token > first && tokens.isApart(token) ? " " : "").append(tokens.text(token));
    }
    return text.toString();
  }

  /** What each token is, quotes included. */
  public List<String> texts() {
    var texts = new ArrayList<String>();
    for (int token = first; token < behind; token++) {
      texts.add(tokens.text(token));
    }
    return texts;
  }

  /**
   * Whether both say the same: names and words in whatever case, and literals byte by byte; those
   * that may be others in the next statement of this shape are the same as nothing.
   */
  public boolean saysSame(TokenRange other) {
    if (behind - first != other.behind - other.first) {
      return false;
    }
    for (int token = first; token < behind; token++) {
      int beside = other.first + token - first;
      if (tokens.slot(token) >= 0
          || other.tokens.slot(beside) >= 0
          || !saysSame(token, other, beside)) {
        return false;
      }
    }
    return true;
  }

  /** What two ranges have in common that say the same. */
  public String saying() {
    var text = new StringBuilder();
    for (int token = first; token < behind; token++) {
      text.append(saying(token)).append(' ');
    }
    return text.toString();
  }

  private boolean saysSame(int token, TokenRange other, int beside) {
    String text = tokens.text(token);
    return tokens.kind(token).isLiteral()
        ? text.equals(other.tokens.text(beside))
        : text.equalsIgnoreCase(other.tokens.text(beside));
  }

  /** In lower case, in which no letter becomes two. */
  private String saying(int token) {
    String text = tokens.text(token);
    return tokens.kind(token).isLiteral() ? text : text.toLowerCase(Locale.ROOT);
  }
}
