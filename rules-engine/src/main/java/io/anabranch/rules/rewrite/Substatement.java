package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A query that is made of pieces of a client's statement, to be planned for itself. Its slots are
 * slots of the statement.
 *
 * @param slots of the query to those of the statement; negative for numbers of the proxy's own
 */
public record Substatement(PlanTask task, int[] slots) {

  /** Number of the proxy's own in the place of a slot. */
  private static int own(int number) {
    return ~number;
  }

  /** The slots' values in one execution of the statement. */
  public SlotValues values(SlotValues statement) {
    return new Values(statement, slots);
  }

  /** Slots of the statement that are {@code own} slots of the query. */
  public int[] outer(int[] own) {
    return IntStream.of(own).map(slot -> slots[slot]).filter(slot -> slot >= 0).toArray();
  }

  /** Puts a query together, from left to right. */
  public static final class Builder {

    private final PlanTask statement;
    private final SourceText source;
    private final SqlBuffer sql = new SqlBuffer(256);
    private final List<Integer> slots = new ArrayList<>();

    public Builder(PlanTask statement, SourceText source) {
      this.statement = statement;
      this.source = source;
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
      slots.add(own(number));
      return text(Integer.toString(number));
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
      SqlTokens tokens = source.tokens();
      int[] bySlot = new int[statement.scan().slotCount()];
      tokens.all().slots().forEach(token -> bySlot[tokens.slot(token)] = token);
      for (Piece piece : pieces) {
        switch (piece) {
          case Piece.Text text -> sql.append(text.bytes());
          case Piece.Slot slot -> tokens(bySlot[slot.slot()], bySlot[slot.slot()] + 1);
          case Piece.Table _, Piece.Keys _ ->
              throw new IllegalArgumentException("a part that is rendered for a target");
        }
      }
      return this;
    }

    public Substatement build() {
      PlanTask task = statement.of(sql.toByteArray());
      if (task.scan().slotCount() != slots.size()) {
        // a part of what is no statement
        throw TableMention.syntaxError(source, 0);
      }
      return new Substatement(task, slots.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  private record Values(SlotValues statement, int[] slots) implements SlotValues {

    @Override
    public int count() {
      return slots.length;
    }

    @Override
    public boolean isBound() {
      return statement.isBound();
    }

    @Override
    public boolean isParameter(int slot) {
      return slots[slot] >= 0 && statement.isParameter(slots[slot]);
    }

    @Override
    public int parameterIndex(int slot) {
      return statement.parameterIndex(slots[slot]);
    }

    @Override
    public SqlValue value(int slot) {
      return slots[slot] < 0 ? new SqlValue.Int(own(slots[slot])) : statement.value(slots[slot]);
    }

    @Override
    public int length(int slot) {
      return slots[slot] < 0
          ? Integer.toString(own(slots[slot])).length()
          : statement.length(slots[slot]);
    }

    @Override
    public void appendTo(int slot, SqlBuffer out) {
      if (slots[slot] < 0) {
        out.append(Integer.toString(own(slots[slot])).getBytes(StandardCharsets.US_ASCII));
      } else {
        statement.appendTo(slots[slot], out);
      }
    }
  }
}
