package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A query that is made of pieces of a client's statement, to be planned for itself. Its slots are
 * slots of the statement.
 *
 * @param slots of the query to those of the statement
 */
record Substatement(PlanTask task, int[] slots) {

  /** The slots' values in one execution of the statement. */
  SlotValues values(SlotValues statement) {
    return new Values(statement, slots);
  }

  /** Slots of the statement that are {@code own} slots of the query. */
  int[] outer(int[] own) {
    int[] outer = new int[own.length];
    for (int i = 0; i < own.length; i++) {
      outer[i] = slots[own[i]];
    }
    return outer;
  }

  /** Puts a query together, from left to right. */
  static final class Builder {

    private final PlanTask statement;
    private final SourceText source;
    private final SqlBuffer sql = new SqlBuffer(256);
    private final List<Integer> slots = new ArrayList<>();

    Builder(PlanTask statement, SourceText source) {
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
    Builder text(String text) {
      sql.append(source.encode(text));
      return this;
    }

    /** The tokens {@code [from, to)} as the client wrote them. */
    Builder tokens(int from, int to) {
      if (from >= to) {
        return this;
      }
      SqlTokens tokens = source.tokens();
      int start = source.byteOffset(tokens.start(from));
      int end = source.byteOffset(tokens.end(to - 1));
      sql.append(source.bytes(), start, end - start);
      for (int i = from; i < to; i++) {
        if (tokens.slot(i) >= 0) {
          slots.add(tokens.slot(i));
        }
      }
      return this;
    }

    Substatement build() {
      PlanScope scope = statement.scope();
      LexerMode mode =
          LexerMode.of(scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes());
      byte[] bytes = sql.toByteArray();
      Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, mode, new Scan());
      if (scan.slotCount() != slots.size()) {
        throw new IllegalStateException("a literal of the proxy's own in " + source.text());
      }
      return new Substatement(
          new PlanTask(scan, scope, statement.catalog(), statement.rules()),
          slots.stream().mapToInt(Integer::intValue).toArray());
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
      return statement.isParameter(slots[slot]);
    }

    @Override
    public int parameterIndex(int slot) {
      return statement.parameterIndex(slots[slot]);
    }

    @Override
    public SqlValue value(int slot) {
      return statement.value(slots[slot]);
    }

    @Override
    public int length(int slot) {
      return statement.length(slots[slot]);
    }

    @Override
    public void appendTo(int slot, SqlBuffer out) {
      statement.appendTo(slots[slot], out);
    }
  }
}
