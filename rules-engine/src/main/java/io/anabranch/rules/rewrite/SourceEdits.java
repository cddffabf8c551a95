package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A client's text with the spans that change: slots, table names, qualifiers. */
public final class SourceEdits {

  private static final Piece BLANK = new Piece.Text(new byte[] {' '});

  private record Edit(int end, List<Piece> pieces) {}

  private final SourceText source;
  private final NavigableMap<Integer, Edit> byStart = new TreeMap<>();

  public SourceEdits(SourceText source) {
    this.source = source;
    SqlTokens tokens = source.tokens();
    for (int literal : tokens.all().slots()) {
      replace(start(literal), end(literal), List.of(new Piece.Slot(tokens.slot(literal))));
    }
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
    byStart.subMap(from, false, Math.max(from, to), false).clear();
    byStart.put(from, new Edit(to, List.copyOf(pieces)));
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
      boolean isQuoted = start < done && isQuote(bytes[start]);
      if (isQuoted && start > from && SqlTokens.isNamePart(bytes[start - 1])) {
        pieces.add(BLANK);
      }
      pieces.addAll(entry.getValue().pieces());
      if (isQuoted && done < to && SqlTokens.isNamePart(bytes[done])) {
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

  private void plain(int from, int to, List<Piece> pieces) {
    if (from < to) {
      pieces.add(new Piece.Text(Arrays.copyOfRange(source.bytes(), from, to)));
    }
  }
}
