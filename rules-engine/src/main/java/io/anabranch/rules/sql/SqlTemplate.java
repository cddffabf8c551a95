package io.anabranch.rules.sql;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement's text with holes: bytes that never change, slots, and the places of table names.
 * Immutable; {@link #aimedAt} makes the form that is rendered on event loops.
 */
public final class SqlTemplate {

  /** One piece of text. */
  private sealed interface Part {}

  private record Text(byte[] bytes) implements Part {}

  private record Slot(int number, boolean parameter, int parameterIndex) implements Part {}

  private record Table(int reference) implements Part {}

  private final List<Part> parts;
  private final Charset charset;

  private SqlTemplate(List<Part> parts, Charset charset) {
    this.parts = List.copyOf(parts);
    this.charset = charset;
  }

  /** A template that is made of pieces of {@code source}, from left to right. */
  public static Builder of(SourceText source) {
    return new Builder(source);
  }

  /** Whether some slot is a literal, so that the text depends on the values. */
  public boolean hasLiteralSlots() {
    for (Part part : parts) {
      if (part instanceof Slot slot && !slot.parameter()) {
        return true;
      }
    }
    return false;
  }

  /** Whether its text is another one for other tables. */
  public boolean mentionsTables() {
    for (Part part : parts) {
      if (part instanceof Table) {
        return true;
      }
    }
    return false;
  }

  /**
   * The template with fixed table names.
   *
   * @param tables actual name for each table reference
   */
  public Aimed aimedAt(String dataSource, List<String> tables) {
    int literals = 0;
    int marks = 0;
    for (Part part : parts) {
      if (part instanceof Slot slot) {
        literals += slot.parameter() ? 0 : 1;
        marks += slot.parameter() ? 1 : 0;
      }
    }
    var runs = new byte[literals + 1][];
    var slots = new int[literals];
    var parameters = new int[marks];
    var run = new ByteArrayOutputStream();
    literals = 0;
    marks = 0;
    for (Part part : parts) {
      switch (part) {
        case Text text -> run.writeBytes(text.bytes());
        case Table table -> {
          String name = tables.get(table.reference());
          run.writeBytes(TableNames.quotedIfNeeded(name).getBytes(charset));
        }
        case Slot slot when slot.parameter() -> {
          run.write('?');
          parameters[marks++] = slot.parameterIndex();
        }
        case Slot slot -> {
          slots[literals] = slot.number();
          runs[literals++] = run.toByteArray();
          run.reset();
        }
      }
    }
    runs[literals] = run.toByteArray();
    return new Aimed(dataSource, runs, slots, parameters);
  }

  /** A template for one target. Immutable, shared by threads; rendering is copying bytes. */
  public static final class Aimed {

    private final String dataSource;
    private final byte[][] runs;
    private final int[] slots;
    private final int[] parameters;
    private final int fixedLength;
    private final ShardQuery constant;

    private Aimed(String dataSource, byte[][] runs, int[] slots, int[] parameters) {
      this.dataSource = dataSource;
      this.runs = runs;
      this.slots = slots;
      this.parameters = parameters;
      int length = 0;
      for (byte[] run : runs) {
        length += run.length;
      }
      fixedLength = length;
      constant = new ShardQuery(dataSource, runs[0], parameters);
    }

    /** The statement of a template without literal slots. */
    public ShardQuery constant() {
      if (slots.length > 0) {
        throw new IllegalStateException("the text depends on literals");
      }
      return constant;
    }

    public boolean isEmpty() {
      return fixedLength == 0 && slots.length == 0;
    }

    public String dataSource() {
      return dataSource;
    }

    /** Adds a copy of it to others. */
    public void addTo(AimedRows others) {
      others.add(runs, slots, parameters);
    }

    /** Appends the text for these values; parameters are {@link #parameters}, in this order. */
    public void appendTo(SqlBuffer out, SlotValues values) {
      for (int i = 0; i < slots.length; i++) {
        out.append(runs[i]);
        values.appendTo(slots[i], out);
      }
      out.append(runs[slots.length]);
    }

    /** Bytes of the text for these values. */
    public int length(SlotValues values) {
      int length = fixedLength;
      for (int slot : slots) {
        length += values.length(slot);
      }
      return length;
    }

    /** Indexes of the client's parameters in the order of the text; not to be modified. */
    public int[] parameters() {
      return parameters;
    }

    /** The statement for these values: always the same instance if no slot is a literal. */
    public ShardQuery render(SlotValues values) {
      if (slots.length == 0) {
        return constant;
      }
      var out = new SqlBuffer(length(values));
      appendTo(out, values);
      return new ShardQuery(dataSource, out.take(), parameters);
    }
  }

  /** Collects the pieces of a template from left to right. */
  public static final class Builder {

    private final SourceText source;
    private final List<Part> parts = new ArrayList<>();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

    private Builder(SourceText source) {
      this.source = source;
    }

    /** Appends bytes of the statement, or of the proxy's own. */
    public Builder text(byte[] bytes) {
      pending.writeBytes(bytes);
      return this;
    }

    /** Appends a literal or parameter of the source, or a value that the proxy makes. */
    public Builder slot(int number) {
      flush();
      int parameter = source.tokens().parameterOf(number);
      parts.add(new Slot(number, parameter >= 0, parameter));
      return this;
    }

    /** Appends the actual name of table reference {@code reference}. */
    public Builder table(int reference) {
      flush();
      parts.add(new Table(reference));
      return this;
    }

    private void flush() {
      if (pending.size() > 0) {
        parts.add(new Text(pending.toByteArray()));
        pending.reset();
      }
    }

    public SqlTemplate build() {
      flush();
      return new SqlTemplate(parts, source.charset());
    }
  }
}
