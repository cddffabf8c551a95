package io.anabranch.rules.rewrite;

import io.anabranch.rules.routing.KeyList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A part of a statement that is rendered once its targets and values are known. */
public sealed interface Piece {

  /** Bytes as they are; never modified. */
  record Text(byte[] bytes) implements Piece {}

  /** A literal or parameter of the client. */
  record Slot(int slot) implements Piece {}

  /**
   * The actual table of a sharded one.
   *
   * @param table position among the statement's sharded table references
   */
  record Table(int table) implements Piece {}

  /**
   * Values in a list, of which a node gets its own.
   *
   * @param table position of the sharded table reference whose node counts
   */
  record Keys(int table, KeyList list) implements Piece {}

  /** The pieces with {@link Keys} in the place of the lists that stand in them as they are. */
  static List<Piece> split(List<Piece> pieces, int table, List<KeyList> lists) {
    Map<Integer, KeyList> byFirst = new HashMap<>();
    lists.forEach(list -> byFirst.putIfAbsent(list.slot(0), list));
    var result = new ArrayList<Piece>();
    int at = 0;
    while (at < pieces.size()) {
      Piece piece = pieces.get(at);
      KeyList list = piece instanceof Slot slot ? byFirst.get(slot.slot()) : null;
      if (list != null && isList(pieces, at, list)) {
        result.add(new Keys(table, list));
        at += 2 * list.size() - 1;
      } else {
        result.add(piece);
        at++;
      }
    }
    return result;
  }

  /** Whether the values stand there one after the other, with nothing but commas between them. */
  private static boolean isList(List<Piece> pieces, int first, KeyList list) {
    for (int i = 1; i < list.size(); i++) {
      int at = first + 2 * i;
      if (at >= pieces.size()
          || !pieces.get(at).equals(new Slot(list.slot(i)))
          || !(pieces.get(at - 1) instanceof Text between)
          || !new String(between.bytes(), StandardCharsets.ISO_8859_1).strip().equals(",")) {
        return false;
      }
    }
    return true;
  }
}
