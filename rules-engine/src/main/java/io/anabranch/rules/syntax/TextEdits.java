package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with other text in the place of some of its tokens: {@code edits.replace(token, "`t`")}
 * leaves all around it as it is. Where two names would grow together, as in {@code FROM`t`} with a
 * name that needs no quotes, a blank comes between them. Quick from left to right.
 *
 * <p>For texts of characters that are read again. What is sent to databases is bytes with places
 * for values: {@link io.anabranch.rules.rewrite.SourceEdits}. Used by one thread.
 */
public final class TextEdits {

  /** Characters {@code [start, end)} and what stands there instead. */
  private record Edit(int start, int end, String by) {}

  private final String text;
  private final SqlTokens tokens;
  private final List<Edit> edits = new ArrayList<>();

  /**
   * @param tokens of the text
   */
  public TextEdits(String text, SqlTokens tokens) {
    this.text = text;
    this.tokens = tokens;
  }

  public TextEdits(SourceText source) {
    this(source.text(), source.tokens());
  }

  /** Puts text in the place of a token. */
  public TextEdits replace(int token, String by) {
    return replace(token, token + 1, by);
  }

  /** Puts text in the place of the tokens {@code [first, behind)} and of what is between them. */
  public TextEdits replace(int first, int behind, String by) {
    return edit(tokens.start(first), tokens.end(behind - 1), by);
  }

  /** Takes the tokens {@code [first, behind)} out, with the blanks between them. */
  public TextEdits remove(int first, int behind) {
    return replace(first, behind, "");
  }

  /** Puts text in front of a token, behind the blanks that are there. */
  public TextEdits before(int token, String by) {
    return edit(tokens.start(token), tokens.start(token), by);
  }

  /** Puts text behind a token, in front of the blanks that are there. */
  public TextEdits behind(int token, String by) {
    return edit(tokens.end(token), tokens.end(token), by);
  }

  private TextEdits edit(int start, int end, String by) {
    if (end < start) {
      throw new IllegalArgumentException("nothing is from " + start + " to " + end);
    }
    int at = edits.size();
    while (at > 0 && edits.get(at - 1).start() > start) {
      at--;
    }
    boolean isFree =
        (at == 0 || edits.get(at - 1).end() <= start)
            && (at == edits.size() || edits.get(at).start() >= end);
    if (!isFree) {
      throw new IllegalArgumentException("what is edited at " + start + " has been edited");
    }
    edits.add(at, new Edit(start, end, by));
    return this;
  }

  public boolean isEmpty() {
    return edits.isEmpty();
  }

  /** The whole text as it has become. */
  public String text() {
    return textOf(0, text.length());
  }

  /** What the tokens {@code [first, behind)} have become, without what stands around them. */
  public String text(int first, int behind) {
    return first >= behind ? "" : textOf(tokens.start(first), tokens.end(behind - 1));
  }

  private String textOf(int from, int to) {
    var out = new StringBuilder(to - from);
    int done = from;
    for (Edit edit : edits) {
      if (edit.start() >= from && edit.end() <= to) {
        append(out, text, done, edit.start());
        append(out, edit.by(), 0, edit.by().length());
        done = edit.end();
      }
    }
    append(out, text, done, to);
    return out.toString();
  }

  private static void append(StringBuilder out, String piece, int from, int to) {
    if (from < to) {
      boolean grows =
          !out.isEmpty()
              && SqlTokens.isNamePart(out.charAt(out.length() - 1))
              && SqlTokens.isNamePart(piece.charAt(from));
      out.append(grows ? " " : "").append(piece, from, to);
    }
  }
}
