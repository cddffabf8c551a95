package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The hidden columns of a leg, behind the client's; equal expressions are added once. */
final class LegColumns {

  private final SourceEdits edits;
  private final int visible;
  private final Map<String, Integer> positions = new LinkedHashMap<>();
  private final List<List<Piece>> hidden = new ArrayList<>();

  /**
   * @param visible how many columns the client sees
   */
  LegColumns(SourceEdits edits, int visible) {
    this.edits = edits;
    this.visible = visible;
  }

  int visible() {
    return visible;
  }

  int size() {
    return visible + hidden.size();
  }

  /** Position of a hidden column. */
  int add(List<Piece> expression) {
    return positions.computeIfAbsent(
        text(expression),
        key -> {
          hidden.add(expression);
          return visible + hidden.size() - 1;
        });
  }

  /** Position of a hidden column with something around an expression. */
  int add(String before, List<Piece> expression, String after) {
    var pieces = new ArrayList<Piece>();
    pieces.add(edits.text(before));
    pieces.addAll(expression);
    pieces.add(edits.text(after));
    return add(pieces);
  }

  private static String text(List<Piece> expression) {
    var text = new StringBuilder();
    for (Piece piece : expression) {
      text.append(
          switch (piece) {
            case Piece.Text bytes -> Arrays.toString(bytes.bytes());
            case Piece.Slot slot -> "slot " + slot.slot();
            case Piece.Table table -> "table " + table.table();
            case Piece.Keys keys -> "keys " + keys.list().slot(0);
          });
    }
    return text.toString();
  }

  /** {@code , a AS _ab0, b AS _ab1}… */
  List<Piece> pieces() {
    var pieces = new ArrayList<Piece>();
    for (int i = 0; i < hidden.size(); i++) {
      pieces.add(edits.text(", "));
      pieces.addAll(hidden.get(i));
      pieces.add(edits.text(" AS _ab" + i));
    }
    return pieces;
  }
}
