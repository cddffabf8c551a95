package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A client's text with the spans that change: table names, qualifiers, what is put in. Literals and
 * parameters that are left are slots.
 */
public final class SourceEdits {

  private static final Piece BLANK = new Piece.Text(new byte[] {' '});

  private record Edit(int end, List<Piece> pieces) {}

  private final SourceText source;
  private final NavigableMap<Integer, Edit> byStart = new TreeMap<>();

  public SourceEdits(SourceText source) {
    this.source = source;
  }

  public SourceText source() {
    return source;
  }

  /** Byte offset where a token starts; of the end for the token behind the last. */
  public int start(int token) {
    SqlTokens tokens = source.tokens();
    return token >= tokens.size() ? source.bytes().length : source.byteOffset(tokens.start(token));
  }

  public int end(int token) {
    return source.byteOffset(source.tokens().end(token));
  }

  /** Takes a span of bytes out, with its literals, and puts {@code pieces} in its place. */
  public void replace(int from, int to, List<Piece> pieces) {
    if (to < from) {
      throw new IllegalArgumentException("nothing is from " + from + " to " + to);
    }
    byStart.subMap(from, false, Math.max(from, to), false).clear();
    byStart.put(from, new Edit(to, List.copyOf(pieces)));
  }

  /**
   * Puts a derived table in the place of a table's name, the tokens {@code [first, behind)}. MySQL
   * takes a table in parentheses, {@code FROM (t)}, and no derived one: they become blanks.
   *
   * @param aliased whether an alias follows the name; {@code derived} has one otherwise
   */
  public void derive(int first, int behind, boolean aliased, List<Piece> derived) {
    SqlTokens tokens = source.tokens();
    int end = behind;
    if (aliased) {
      end += tokens.isWord(behind, "AS") ? 2 : 1;
    }
    TokenRange wrapped = tokens.between(first, end).wrapped();
    for (int i = 1; i <= first - wrapped.first(); i++) {
      blank(first - i);
      blank(end + i - 1);
    }
    replace(start(first), end(behind - 1), derived);
  }

  private void blank(int token) {
    replace(start(token), end(token), List.of(BLANK));
  }

  /** Puts {@code pieces} in front of what stands, or is to stand, at an offset of bytes. */
  public void insert(int at, List<Piece> pieces) {
    Edit there = byStart.get(at);
    var all = new ArrayList<Piece>(pieces);
    all.addAll(there == null ? List.of() : there.pieces());
    byStart.put(at, new Edit(there == null ? at : there.end(), all));
  }

  /** Whether anything but literals is replaced in {@code [from, to)}. */
  boolean renames(int from, int to) {
    for (Edit edit : byStart.subMap(from, to).values()) {
      if (!edit.pieces().stream().allMatch(Piece.Slot.class::isInstance)
          || edit.pieces().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  public Piece text(String text) {
    return new Piece.Text(source.encode(text));
  }

  /** The edited text of {@code [from, to)} in bytes. */
  public List<Piece> copy(int from, int to) {
    var pieces = new ArrayList<Piece>();
    int done = from;
    boolean isToEnd = to == source.bytes().length;
    for (var entry : byStart.subMap(from, true, Math.max(from, to), isToEnd).entrySet()) {
      int start = entry.getKey();
      plain(done, start, pieces);
      done = entry.getValue().end();
      byte[] bytes = source.bytes();
      boolean replaces = start < done;
      if (replaces
          && isQuote(bytes[start])
          && start > from
          && SqlTokens.isNamePart(bytes[start - 1])) {
        pieces.add(BLANK);
      }
      pieces.addAll(entry.getValue().pieces());
      if (replaces && isQuote(bytes[done - 1]) && done < to && SqlTokens.isNamePart(bytes[done])) {
        pieces.add(BLANK);
      }
    }
    plain(done, to, pieces);
    return pieces;
  }

  /** The edited text of the tokens {@code [first, behind)}, without what stands around them. */
  public List<Piece> copyTokens(int first, int behind) {
    return first >= behind ? List.of() : copy(start(first), end(behind - 1));
  }

  /**
   * Quotes end a name where there is no blank; what comes in its place may have none.
   *
   * @param unit of a text: byte or character
   */
  static boolean isQuote(int unit) {
    return unit == '`' || unit == '"';
  }

  /** What stands there, with its slots. */
  private void plain(int from, int to, List<Piece> pieces) {
    if (from < to) {
      new Copy(from, pieces).upTo(to);
    }
  }

  /** Pieces of plain text from an offset on. */
  private final class Copy {

    private final List<Piece> pieces;
    private int done;

    Copy(int from, List<Piece> pieces) {
      this.done = from;
      this.pieces = pieces;
    }

    void upTo(int end) {
      source.tokens().between(source.tokenAt(done), source.tokenAt(end)).forEach(this::token);
      text(end);
    }

    private void token(int token) {
      int slot = source.tokens().slot(token);
      if (slot >= 0) {
        text(start(token));
        pieces.add(new Piece.Slot(slot));
        done = end(token);
      }
    }

    private void text(int end) {
      if (done < end) {
        pieces.add(new Piece.Text(Arrays.copyOfRange(source.bytes(), done, end)));
        done = end;
      }
    }
  }

  /**
   * Pieces as a text for tables that are told by their names.
   *
   * @param pieces without lists of keys
   */
  public SqlTemplate template(List<Piece> pieces) {
    return new SqlTemplate(source, pieces);
  }
}
