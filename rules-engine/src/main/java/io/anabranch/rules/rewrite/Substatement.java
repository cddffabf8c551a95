package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A query that is made of pieces of a client's statement, to be planned for itself. Its slots are
 * slots of the statement.
 *
 * @param slots of the query
 */
public record Substatement(PlanTask task, OuterSlots slots) {

  /** The slots' values in one execution of the statement. */
  public SlotValues values(SlotValues statement) {
    return slots.values(statement);
  }

  /** Slots of the statement that are {@code own} slots of the query. */
  public int[] outer(int[] own) {
    return slots.outer(own);
  }

  /** Puts a query together, from left to right. */
  public static final class Builder {

    private final PlanTask statement;
    private final SourceText source;
    private final SqlBuffer sql = new SqlBuffer(256);
    private final List<Integer> slots = new ArrayList<>();

    /** Tokens of the statement by their slots; empty: nobody has asked yet. */
    private int[] bySlot = {};

    private Builder(SourceText source, PlanTask statement) {
      this.statement = statement;
      this.source = source;
    }

    /** Of a text that has all of the statement's, its hint included. */
    static Builder whole(PlanTask statement, SourceText source) {
      return new Builder(source, statement);
    }

    public Builder(PlanTask statement, SourceText source) {
      this(source, statement);
      var scan = statement.scan();
      if (scan.hasHint()) {
        text("/* SHARDINGSPHERE_HINT: ");
        sql.append(scan.sql(), scan.hintStart(), scan.hintEnd() - scan.hintStart());
        text("*/ ");
      }
    }

    /** Text of the proxy's own, without literals. */
    public Builder text(String text) {
      sql.append(source.encode(text));
      return this;
    }

    /**
     * A number of the proxy's own.
     *
     * @param number not negative
     */
    public Builder number(int number) {
      slots.add(OuterSlots.OWN);
      return text(Integer.toString(number));
    }

    /** Text of the proxy's own with literals: whole tokens. */
    Builder literals(String text) {
      byte[] bytes = source.encode(text);
      slots.addAll(Collections.nCopies(statement.of(bytes).scan().slotCount(), OuterSlots.OWN));
      sql.append(bytes);
      return this;
    }

    /** The tokens {@code [from, to)} as the client wrote them. */
    public Builder tokens(int from, int to) {
      if (from >= to) {
        return this;
      }
      SqlTokens tokens = source.tokens();
      int start = source.byteOffset(tokens.start(from));
      int end = source.byteOffset(tokens.end(to - 1));
      sql.append(source.bytes(), start, end - start);
      tokens.between(from, to).slots().forEach(token -> slots.add(tokens.slot(token)));
      return this;
    }

    /** Edited text of the client, without tables. */
    public Builder pieces(List<Piece> pieces) {
      for (Piece piece : pieces) {
        switch (piece) {
          case Piece.Text text -> sql.append(text.bytes());
          case Piece.Slot slot -> tokens(token(slot.slot()), token(slot.slot()) + 1);
          case Piece.Table _, Piece.Keys _ ->
              throw new IllegalArgumentException("a part that is rendered for a target");
        }
      }
      return this;
    }

    private int token(int slot) {
      if (bySlot.length == 0) {
        SqlTokens tokens = source.tokens();
        bySlot = new int[statement.scan().slotCount()];
        tokens.all().slots().forEach(token -> bySlot[tokens.slot(token)] = token);
      }
      return bySlot[slot];
    }

    public Substatement build() {
      PlanTask task = statement.of(sql.toByteArray());
      if (task.scan().slotCount() != slots.size()) {
        // a part of what is no statement
        throw TableMention.syntaxError(source, 0);
      }
      int[] outer = slots.stream().mapToInt(Integer::intValue).toArray();
      return new Substatement(task, new OuterSlots(outer, task.written()));
    }
  }
}
